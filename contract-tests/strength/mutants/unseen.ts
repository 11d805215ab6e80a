/** What the contract declares and no recorded exchange can show, and why: a change of it goes unnoticed. */
export const UNSEEN: readonly { readonly pattern: RegExp; readonly why: string }[] = [
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
    why: 'made by the gateway in one length; the contract leaves room',
  },
  {
    pattern: /^header rate-?limit(-policy)? (absent|m(in|ax)Length )/,
    why: 'decided by the operator: how many in which time, and whether there is a limit at all',
  },
  { pattern: /^header retry-after maximum |^ErrorReply\.code maximum /, why: 'the contract leaves room' },
  {
    pattern: /^PaymentUrl m(in|ax)Length |^RsaSignature maxLength /,
    why: 'decided by the operator: base address of the payment page, size of the RSA key',
  },
  {
    pattern: /^(AmountOrZero|CollectionTransaction\.total_credit|PayoutTransaction\.total_debit) maximum /,
    why: 'the largest amount with a charge as large: no provider charges so much',
  },
  {
    pattern: /^TransactionId m(in|ax)imum /,
    why: 'it tells the time: the first and the last are of no time of a test',
  },
  { pattern: /^Provider\.(min|max|max_daily)_amount minimum /, why: 'storage refuses a limit of zero' },
  { pattern: /^PayoutTransaction\.transaction_account minLength /, why: 'every account number of a payout is longer' },
]

export const isKnownUnseen = (sighting: string): boolean => UNSEEN.some(({ pattern }) => pattern.test(sighting))

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
    why: 'only a gateway without limits leaves it out',
  },
  { operator: 'move maxProperties', pattern: /EmptyData/, why: 'changes nothing: no property is allowed anyway' },
]

/** Why nobody noticed a change; undefined when nobody knows. */
export const whyUnnoticed = ({
  operator,
  at,
}: {
  readonly operator: string
  readonly at: string
}): string | undefined =>
  UNSEEN.find(({ pattern }) => pattern.test(sightingAt(at)))?.why ??
  OTHER_REASONS.find((reason) => reason.operator === operator && reason.pattern.test(at))?.why
