import { isIPv4 } from "node:net";
import {
  field,
  listAt,
  propertiesIn,
  ServiceError,
  serviceError,
  split,
} from "../../base/index.js";

/** Azure keeps the first four addresses of a subnet and the last one. */
const RESERVED = 4;

interface Range {
  /** As a number of 32 bits. */
  readonly first: number;
  readonly size: number;
}

/** What is known of the address of an interface. */
interface Wanted {
  /** The address that the request writes. */
  readonly written: string | undefined;
  /** The address that it has in this subnet already. */
  readonly kept: string | undefined;
  /** Those of the other interfaces in the subnet. */
  readonly taken: ReadonlySet<string>;
}

/**
 * The address of an interface in a subnet: the written one, or the one that it has, or the first that
 * is free. For a subnet that is not here, 10.0.0.0/24 is assumed.
 *
 * @param subnet its body; `undefined` for a subnet that is not here
 * @see https://learn.microsoft.com/azure/virtual-network/ip-services/private-ip-addresses#allocation-method
 * @see https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors
 * @throws ServiceError 400 for an address that the interface cannot have, and in a full subnet
 */
export function addressIn(subnetId: string, subnet: unknown, wanted: Wanted): string {
  const { written, kept, taken } = wanted;
  const prefixes = [
    field(propertiesIn(subnet), "addressPrefix"),
    ...listAt(propertiesIn(subnet), "addressPrefixes"),
  ].filter((each) => typeof each === "string");
  const known = prefixes.map(rangeOf).filter((range) => range !== undefined);
  if (written !== undefined) {
    const problem = known.length > 0 && problemOf(written, known, taken);
    if (!problem) return written;
    const message = `The address ${written} cannot be given to an interface in the subnet ${subnetId} with the address prefix ${prefixes.join(", ")}.`;
    throw new ServiceError(400, problem, message);
  }
  if (kept !== undefined) return kept;
  const ranges = known.length > 0 ? known : [{ first: numberOf("10.0.0.0"), size: 256 }];
  for (const { first, size } of ranges) {
    for (let index = RESERVED; index < size - 1; index++) {
      const address = addressAt(first + index);
      if (!taken.has(address)) return address;
    }
  }
  throw serviceError.SubnetIsFull(
    `Subnet ${subnetId} with address prefix ${prefixes.join(", ")} does not have enough capacity for 1 IP addresses.`,
  );
}

/** Why an interface cannot have an address. */
function problemOf(address: string, ranges: readonly Range[], taken: ReadonlySet<string>) {
  const indexIn = ({ first }: Range) => numberOf(address) - first;
  const range = ranges.find((each) => indexIn(each) >= 0 && indexIn(each) < each.size);
  if (range === undefined) return "PrivateIPAddressNotInSubnet";
  const index = indexIn(range);
  if (index < RESERVED || index === range.size - 1) return "PrivateIPAddressInReservedRange";
  return taken.has(address) ? "PrivateIPAddressIsAllocated" : undefined;
}

/** `undefined` for IPv6, in which no private endpoint has its address. */
function rangeOf(prefix: string): Range | undefined {
  const [address, bits] = split(prefix, "/");
  if (!isIPv4(address)) return undefined;
  const size = 2 ** (32 - Number(bits));
  return { first: numberOf(address) - (numberOf(address) % size), size };
}

const numberOf = (address: string) =>
  address.split(".").reduce((number, part) => number * 256 + Number(part), 0);

const addressAt = (number: number) =>
  [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
