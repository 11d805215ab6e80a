/**
 * The code that opens each provider's mobile money menu on any phone. A code without a public source is not shown:
 * Zambia's are missing. Sources, read on 28 November 2026:
 * - Uganda: dignited.com/18272 (approvals of MTN), powersector.pages.dev "10 frequently asked questions"
 * - Kenya: hapakenya.com 26 March 2024, nairobibusinessmonthly.com (Airtel's managing director)
 * - Tanzania: buwssa.go.tz, how to pay water bills by all three
 * - Rwanda: newtimes.co.rw/article/32623 and gateofwise.com/?p=10434, January 2026
 * - Ghana: blog.hubtel.com/?p=2220 (approvals of MTN), docs.reply.cash on AirtelTigo
 */
const DIAL_CODES: Readonly<Record<string, string>> = {
  mtn_ug: '*165#',
  airtel_ug: '*185#',
  mpesa_ke: '*334#',
  airtel_ke: '*334#',
  vodacom_tz: '*150*00#',
  tigopesa_tz: '*150*01#',
  airtel_tz: '*150*60#',
  mtn_rw: '*182#',
  airtel_rw: '*500#',
  mtn_gh: '*170#',
  airtel_gh: '*110#',
}

/** @returns undefined for a provider whose code is unknown */
export const dialCodeOf = (providerCode: string): string | undefined =>
  Object.hasOwn(DIAL_CODES, providerCode) ? DIAL_CODES[providerCode] : undefined
