/** Azure's short form of a region's name: `West Europe` is `westeurope`. */
export function shortLocation(location: string): string {
  return location.replaceAll(" ", "").toLowerCase();
}
