import { isIP } from "node:net";

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Whether a text is an IP address, or a range of addresses such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const address = text.replace(/\/\d{1,3}$/, "");
  const bits = BITS[isIP(address)];
  return bits !== undefined && Number(text.slice(address.length + 1)) <= bits;
}
