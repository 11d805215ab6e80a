// Shared by the build, which makes the index, and the browser, which queries it: both must tokenize alike.

/** Normalizes spelling variants. */
const ONE_SPELLING: readonly (readonly [RegExp, string])[] = [
  [/\btime[d]?[- ]?outs?\b/gi, 'timeout'],
  [/\bweb[- ]hooks?\b/gi, 'webhook'],
  [/\bc#/gi, 'csharp'],
  [/\bone-time passwords?\b/gi, 'otp one-time password'],
]

/** A word, or several that have one spelling. */
export const PIECE = new RegExp(
  `(${[...ONE_SPELLING.map(([written]) => written.source), '[\\p{L}\\p{N}_]+'].join('|')})`,
  'giu',
)

/** What readers call things that have another name here. Both are looked up. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/charge-?\s?backs?|disputed?s?|revers(?:al|e|ed|als)|reimburse\w*/, 'refund'],
  [/(?:money|pay|give|send|return)(?: it| the money| money)? back|return(?:ing)? (?:the )?money/, 'refund'],
  [/void(?:ed)?|abort(?:ed)?|revoke|undo|stop(?: a)?(?= pay)/, 'cancel'],
  [/sms|text message|pass-?codes?|(?:verification|one-time|confirmation) (?:code|pin)s?|2fa|pins?/, 'otp'],
  [/ngrok|(?:ssh |cloudflare )?tunnel(?:s|ling)?|cloudflared|localhost|local (?:server|machine|endpoint)/, 'receiver'],
  [/(?:tele)?phone(?: number)?(?: format)?|mobile number|number format|e\.?164/, 'msisdn'],
  [/test (?:cards?|data|phones?|accounts?)|(?:magic|fake|dummy) (?:cards?|numbers?|phones?)/, 'test numbers'],
  [/web-?hooks?|ipn|post-?backs?|notifications?|notify/, 'callbacks'],
  [/idempoten(?:t|ce)|(?:paid|pay|charged?) twice|duplicated?s?|dedup\w*|double (?:pay\w*|charges?)/, 'idempotency'],
  [/disburse\w*|cash ?outs?|withdraw\w*|b2c|transfer money|send money/, 'payout'],
  [/c2b|stk(?: push)?|ussd(?: push)?|pay ?ins?|check ?out|deposits?|invoices?/, 'collection'],
  [/mass pay\w*|pay ?roll|salar(?:y|ies)|many payouts/, 'bulk payouts'],
  [/commissions?|fees?|pricing|costs?/, 'charge'],
  [/tokens?|bearer|credentials?|log ?in|api keys?/, 'keys'],
  [/reports?|exports?|csv|reconcil\w*|ledger|account history/, 'statement'],
  [
    /(?:missed|lost|replay|resend|missing) (?:a )?(?:web-?hook|event|callback|notification)s?|replay/,
    'missed callbacks',
  ],
  [/sdk|library|librar(?:y|ies)|npm(?: install)?/, 'client'],
  [/throttl\w*|too many requests/, 'rate limit'],
  [/not enough (?:money|funds|balance)/, 'insufficient balance'],
  [/hosted page|payment link|checkout page|pay ?link/, 'payment page'],
]
const inWords = ({ source }: RegExp): RegExp => new RegExp(`(?<![\\w-])(?:${source})(?![\\w-])`, 'gi')

/** Words of questions, which say nothing about their subject. */
const IN_QUESTIONS =
  /(?<![\w-])(?:an?|the|how|do|does|did|i|we|you|my|our|is|are|was|to|can|could|should|what|when|where|why|which|of|for|it|its|and|with|in|on)(?![\w-])/gi

/** Words of a text. Names such as `merchant_reference` are indexed whole and by their parts. */
export function wordsOf(text: string): string[] {
  const spelt = ONE_SPELLING.reduce((before, [written, word]) => before.replaceAll(written, word), text)
  return (spelt.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
    word.includes('_') ? [word, ...word.split('_')] : [word],
  )
}

/** The stem of a word: `Retries` and `retry` are the same. */
export function termOf(word: string): string {
  const lower = word.toLowerCase()
  if (lower.length < 4 || lower.includes('_')) return lower
  return lower
    .replace(/ies$/, 'y')
    .replace(/(?<=[^aeious])s$|(?<=[aeo])s$/, '')
    .replace(/ied$/, 'y')
}

/** Options for building and querying the index. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'keywords', 'text'],
  storeFields: ['title', 'kind', 'page', 'about', 'address', 'weight', 'text'],
  tokenize: wordsOf,
  processTerm: termOf,
}

/** A whole phone or account number stands for the test number with its last three digits, which choose the outcome. */
const WHOLE_NUMBER = /(?<![\w+])\+?\d{6,12}(\d{3})(?!\w)/g

/** What somebody typed, and the same in our words where they differ. */
export function requested(words: string): readonly string[] {
  const typed = words.replaceAll(WHOLE_NUMBER, 'test number $1')
  const short = typed.replaceAll(IN_QUESTIONS, ' ').trim() || typed
  const ours = SYNONYMS.reduce((text, [theirs, word]) => text.replaceAll(inWords(theirs), word), short)
  return ours === short ? [short] : [short, ours]
}

/** Query options: a word may be incomplete, or have a wrong letter. */
export const LOOKUP_OPTIONS = {
  boost: { title: 6, keywords: 5 },
  boostDocument: (_id: unknown, _term: string, stored?: Readonly<Record<string, unknown>>): number =>
    Number(stored?.weight ?? 1),
  prefix: (term: string): boolean => term.length > 2,
  fuzzy: (term: string): number | false => (term.length > 4 ? 0.25 : false),
  weights: { fuzzy: 0.2, prefix: 0.5 },
}
