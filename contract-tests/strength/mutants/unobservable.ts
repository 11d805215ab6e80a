/** Declarations that no recorded exchange can show, with the reason: a change of them goes unnoticed. */
export const UNOBSERVABLE: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  {
    pattern: /^list(PaymentProviders|PayoutBanks) 50[03]\b/,
    why: 'answered from memory: nothing that a test can break from outside makes them fail',
  },
  {
    pattern: /Reply\.message m(in|ax)Length |^StatusMessage m(in|ax)Length /,
    why: 'sentences that the gateway writes itself; none is as short or as long as a merchant has to expect',
  },
  { pattern: /^FailureCode m(in|ax)Length /, why: 'one of a list of words, none as short or as long as it may become' },
  { pattern: /^Provider\.transaction_method_name m(in|ax)Length /, why: 'one of two fixed names' },
  {
    pattern: /^header (x-request-id|www-authenticate) m(in|ax)Length |^WebhookId m(in|ax)Length /,
    why: 'the gateway generates one length only; the contract allows more',
  },
  {
    pattern: /^header rate-?limit(-policy)? (absent|m(in|ax)Length )/,
    why: 'set by staff: how many in which time, and whether there is a limit at all',
  },
  { pattern: /^header retry-after maximum |^ErrorReply\.code maximum /, why: 'the contract allows more' },
  {
    pattern: /^PaymentUrl m(in|ax)Length |^RsaSignature maxLength /,
    why: 'set by staff: base address of the payment page, size of the RSA key',
  },
  {
    pattern: /^(AmountOrZero|CollectionTransaction\.total_credit|PayoutTransaction\.total_debit) maximum /,
    why: 'the largest amount with a charge as large: no provider charges so much',
  },
  {
    pattern: /^TransactionId m(in|ax)imum /,
    why: 'it contains the time: no test runs at the first or the last possible one',
  },
  { pattern: /^Provider\.(min|max|max_daily)_amount minimum /, why: 'storage refuses a limit of zero' },
  { pattern: /^PayoutTransaction\.transaction_account minLength /, why: 'every account number of a payout is longer' },
]

export const isKnownUnobservable = (sighting: string): boolean =>
  UNOBSERVABLE.some(({ pattern }) => pattern.test(sighting))

const kebab = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase()

/** `components/schemas/Provider/properties/min_amount/minimum` stands for `Provider.min_amount minimum `. */
const sightingAt = (at: string): string =>
  at
    .replace(
      /^components\/headers\/(\w+)\/schema\/(\w+)$/,
      (_, name: string, limit: string) => `header ${kebab(name)} ${limit} `,
    )
    .replace(
      /^components\/schemas\/(\w+)((?:\/properties\/\w+)*)\/(\w+)$/,
      (_, name: string, properties: string, limit: string) =>
        `${name}${properties.replaceAll('/properties/', '.')} ${limit} `,
    )

const OTHER_REASONS: readonly { readonly operator: string; readonly pattern: RegExp; readonly why: string }[] = [
  { operator: 'drop an example', pattern: /./, why: 'another example of the same kind is left' },
  {
    operator: 'remove a status',
    pattern: /Callback\/post\/responses\/410$|payoutHandshake\/get\/responses\/(200|408|425|429)$/,
    why: 'the answer still has a meaning, that of 2XX or 4XX',
  },
  {
    operator: 'make a header optional or required',
    pattern: /headers\/RateLimit(Policy)?\/required$/,
    why: 'only a gateway without limits omits it',
  },
  { operator: 'move maxProperties', pattern: /EmptyData/, why: 'changes nothing: no property is allowed anyway' },
]

/** Why nobody noticed a change; undefined when it is unexplained. */
export const whyUnnoticed = ({
  operator,
  at,
}: {
  readonly operator: string
  readonly at: string
}): string | undefined =>
  UNOBSERVABLE.find(({ pattern }) => pattern.test(sightingAt(at)))?.why ??
  OTHER_REASONS.find((reason) => reason.operator === operator && reason.pattern.test(at))?.why
