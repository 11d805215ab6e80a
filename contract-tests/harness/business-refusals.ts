/** Messages of business rules, with 400, for a request that fits the contract; each one has an example. */
export const BUSINESS_REFUSALS: readonly RegExp[] = [
  /^Invalid (provider|bank) code \(/,
  / is not a valid .+ \([a-z0-9_]+\) phone number(: send [0-9]+ and the whole national number, digits only)?$/,
  /^amount must be between \S+ and \S+ [A-Z]{3}$/,
  /^amount must have at most \d decimals for [A-Z]{3}$/,
  /^amount exceeds the daily limit of /,
  /^No exchange rate from [A-Z]{3} to [A-Z]{3} is configured$/,
  /^redirect_url must be an https URL/,
  /^redirect_url has a host or a port that is not valid$/,
  /^redirect_url leads to a host \(/,
  /^redirect_url is required$/,
  /^No verification URL is configured for payouts$/,
  /^description must not be blank$/,
  /^(description|customer_name) must not contain the control character U\+[0-9A-F]{4}$/,
  /^Invalid OTP$/,
  /^Too many (one-time passwords|wrong one-time passwords|open payment pages) for this account number/,
]

/** Whether the message of a 400 reply is a business rule's; every other message is a breach of the contract. */
export const isBusinessRefusal = (message: string): boolean =>
  BUSINESS_REFUSALS.some((refusal) => refusal.test(message))
