// Amounts are decimal texts on the wire and whole numbers of ten-thousandths here, so that sums are exact in every
// currency.

const DECIMALS = 4
const ONE = 10n ** BigInt(DECIMALS)

/** Whether it is a number for calculations. */
export const isAmount = (text: string): boolean => /^\d+(\.\d{1,4})?$/.test(text)

/** @throws RangeError for text that is not a decimal number or has more than four decimals */
export function toUnits(text: string): bigint {
  const parts = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(text)
  if (!parts) throw new RangeError(`not an amount: ${text}`)
  const [, sign, whole = '0', fraction = ''] = parts
  const units = BigInt(whole) * ONE + BigInt(fraction.padEnd(DECIMALS, '0'))
  return sign === '-' ? -units : units
}

/** `5000`, `12.5`: no more decimals than it needs. */
export function fromUnits(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(DECIMALS + 1, '0')
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction && `.${fraction}`}`
}
