/** The code that opens each provider's mobile money menu on any phone. Providers whose code is unknown are missing. */
const DIAL_CODES: Readonly<Record<string, string>> = {
  mtn_ug: '*165#',
  airtel_ug: '*185#',
  mpesa_ke: '*334#',
  airtel_ke: '*334#',
  vodacom_tz: '*150*00#',
  tigopesa_tz: '*150*01#',
  airtel_tz: '*150*60#',
  mtn_rw: '*182#',
  airtel_rw: '*182#',
  mtn_gh: '*170#',
  airtel_gh: '*110#',
  mtn_zm: '*115#',
  airtel_zm: '*115#',
}

/** @returns undefined for a provider whose code is unknown */
export const dialCodeOf = (providerCode: string): string | undefined =>
  Object.hasOwn(DIAL_CODES, providerCode) ? DIAL_CODES[providerCode] : undefined
