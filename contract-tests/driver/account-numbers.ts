// Account numbers that the sandbox accepts: calling code, a listed prefix, digits of ours, a test number.

/** Calling codes of the currencies with mobile money in the sandbox. */
export const CALLING_CODES: Readonly<Record<string, string>> = {
  UGX: '256',
  KES: '254',
  TZS: '255',
  RWF: '250',
  GHS: '233',
  ZMW: '260',
}
/** The prefix after the calling code, the same in all countries. */
export const NATIONAL_DIGITS = 9
const BANK_DIGITS = 10

const filled = (prefix: string, serial: number, ending: string, length: number): string => {
  const free = length - prefix.length - ending.length
  return `${prefix}${String(serial % 10 ** free).padStart(free, '0')}${ending}`
}

/** @param ending test number: three digits @throws Error for a currency without mobile money */
export function phoneNumber(currency: string, prefix: string, serial: number, ending: string): string {
  const callingCode = CALLING_CODES[currency]
  if (callingCode === undefined) throw new Error(`the calling code for ${currency} is not known`)
  return callingCode + filled(prefix, serial, ending, NATIONAL_DIGITS)
}

export const bankAccount = (serial: number, ending: string): string => filled('0', serial, ending, BANK_DIGITS)
