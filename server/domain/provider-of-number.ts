import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { internationalNumber, phoneNumberFor } from './phone.ts'
import type { PaymentOption } from './provider.ts'
import { Refusal } from './refusal.ts'

/** A provider that takes a number, which is in the form in which it is stored. */
export interface FittingProvider {
  readonly option: PaymentOption
  readonly account: string
  /** It has one of the provider's prefixes. */
  readonly hasPrefix: boolean
}

/**
 * The providers that take a number. Where it fits several, because numbers are ported there, those whose prefix it has
 * come first.
 */
export function fittingProviders(options: readonly PaymentOption[], written: string): readonly FittingProvider[] {
  const fitting = options.flatMap((option) => {
    const account = accountAt(option, written)
    const starts = option.prefixes.map((prefix) => option.callingCode + prefix)
    return account === undefined
      ? []
      : [{ option, account, hasPrefix: starts.some((start) => account.startsWith(start)) }]
  })
  return fitting.toSorted((one, other) => Number(other.hasPrefix) - Number(one.hasPrefix))
}

function accountAt(option: PaymentOption, written: string): string | undefined {
  try {
    return phoneNumberFor(option, written)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** A number in the form in which it is stored. */
export interface PlacedNumber {
  readonly account: string
  /** ISO 3166-1; absent for a number that several countries of one calling code could have. */
  readonly country?: string
}

/**
 * Reads a number in any form: with its country code, with or without plus sign or `00`, or as it is dialled in a
 * country, with blanks, hyphens, dots, slashes and parentheses.
 * @param country the only one in which it may be dialled
 * @param callingCodes of the countries in which it may be dialled, without a country
 * @throws Refusal `invalid_field` for a country that does not exist, `invalid_phone_number` for what is no possible
 *   number, or is one in several countries
 */
export function placedNumber(
  written: string,
  country: string | undefined,
  callingCodes: readonly string[],
): PlacedNumber {
  if (country !== undefined && !isSupportedCountry(country))
    throw new Refusal('invalid_field', `country (${country}) is not the code of a country`)
  const text = written
    .replaceAll('(0)', '')
    .replaceAll(/[ ()./-]/g, '')
    .replace(/^00/, '+')
  const codes = country === undefined ? [...new Set(callingCodes)] : [getCountryCallingCode(country)]
  const dialled = codes.flatMap((code) => internationalNumber(code, text) ?? [])
  if (dialled.length > 1)
    throw new Refusal('invalid_phone_number', `${written} is a number in several countries: send its country code`)
  const number = /^\+?[0-9]{4,15}$/.test(text)
    ? parsePhoneNumberFromString(`+${dialled[0] ?? text.replace('+', '')}`)
    : undefined
  if (!number?.isPossible())
    throw new Refusal(
      'invalid_phone_number',
      `${written} is not a valid phone number: send the country code and the whole national number`,
    )
  return { account: number.number.slice(1), ...(number.country && { country: number.country }) }
}
