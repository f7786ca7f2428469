/**
 * The properties whose value is not undefined: the types of cdktf's resources tell a property that is
 * left out from one that is `undefined`.
 */
export function defined<Properties extends object>(
  properties: Properties,
): { [Name in keyof Properties]?: Exclude<Properties[Name], undefined> } {
  const set = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as ReturnType<typeof defined<Properties>>;
}
