import { where } from "cloud-eventgrid-binding";

/** A filter with each operator of Event Grid, and one with two of an operator. */
export const everyFilter = [
  where("data.a").isNotNull(),
  where("data.b").isNullOrUndefined(),
  where("data.c").boolEquals(false),
  where("data.d").numberGreaterThan(1),
  where("data.e").numberGreaterThanOrEquals(2),
  where("data.f").numberLessThan(3),
  where("data.g").numberLessThanOrEquals(4.5),
  where("data.h").numberIn(5, 6),
  where("data.h").numberIn(7),
  where("data.i").numberNotIn(8),
  where("data.j").numberInRange([1, 5], [7, 9]),
  where("data.k").numberNotInRange([10, 11]),
  where("data.l").stringIn("a", "b"),
  where("data.m").stringNotIn("c"),
  where("data.n").stringBeginsWith("d"),
  where("data.o").stringNotBeginsWith("e"),
  where("data.p").stringEndsWith("f"),
  where("data.q").stringNotEndsWith("g"),
  where("data.r").stringContains("h"),
  where("data.s").stringNotContains("i"),
];
