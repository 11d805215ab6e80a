import type { MarkdownPage } from '../pages.ts'
import { IN_REPLY } from './fields.ts'
import { addressOf, anchorOf, plainText } from './markdown.ts'
import type { OperationSitePage, PlacedError, PlacedField } from './operation-page.ts'
import type { SitePage } from './page.ts'

/** A target of the search. */
interface SearchEntry {
  readonly id: number
  readonly title: string
  readonly kind: 'Guide' | 'Operation' | 'Request to you' | 'Section' | 'Field' | 'Error' | 'Test number'
  /** The page that contains it. */
  readonly page: string
  /** A line of description. */
  readonly about: string
  readonly address: string
  /** Words to find it by: its name, and synonyms. */
  readonly keywords: string
  /** Its weight among hits with the same words. */
  readonly weight: number
  readonly text: string
}

/** Synonyms for things with another name here, by the end of the target's address. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  'send-funds': 'refund refunds pay out disburse disbursement transfer withdraw',
  'payouts-and-handshake': 'refund disbursement transfer',
  'initialize-collection': 'charge payment deposit checkout pay in sample java php python typescript csharp golang',
  'authorize-collection': 'otp one-time password pin',
  'verify-transaction': 'status poll query lookup',
  'callbacks-and-signatures': 'webhook hmac signature',
  'callbacks-and-signatures#delivery': 'retry retries attempts',
  'life-of-a-transaction#failure-codes': 'failure code reason',
  'errors#keys-401': 'invalid wrong key unauthorized unauthenticated forbidden 401 403',
  'errors#what-is-counted': 'rate limit throttle throttling 429',
  'idempotency-and-retries': 'retry duplicate double timeout',
  'list-wallet-balances': 'balance',
  sandbox: 'test numbers simulator magic',
  money: 'fee charge currency minor units decimals rounding',
  authentication: 'api key login token',
}
const alsoCalled = (place: string): string => ALSO_CALLED[place] ?? ''

const WEIGHTS = {
  Guide: 2,
  Operation: 2.2,
  'Request to you': 2,
  'Test number': 1.4,
  Section: 1.2,
  Error: 1,
  Field: 0.9,
} satisfies Record<SearchEntry['kind'], number>
/** Pages for staff rank below those for integrators. */
const FOR_OPERATORS: ReadonlySet<string> = new Set([
  'rails',
  'own-rail',
  'rehearsal',
  'going-live',
  'for-your-team',
  'operating',
  'settings',
  'what-the-description-leaves-open',
])
/** A field of a request ranks above the same field of a reply: it has to be sent. */
const IN_REPLY_WEIGHT = 0.7
const FOR_OPERATORS_WEIGHT = 0.4

const ABOUT_MAX = 150
const shortened = (text: string): string =>
  text.length <= ABOUT_MAX ? text : `${text.slice(0, text.lastIndexOf(' ', ABOUT_MAX))} …`

/** Neither code nor a table's head describes a section; list markers are dropped. */
const withoutCode = (text: string): string => text.replaceAll(/^```[^]*?^```$|^\|.*\|\n\|[ |:-]+\|$|^- /gm, '')

/** Samples are found at their operation. */
const withoutSamples = (text: string): string => text.replaceAll(/^```\w+ .+: .+\n[^]*?^```$/gm, '')

/** Rows of tables as text: cells stay separate. */
const withRows = (text: string): string =>
  text.replaceAll(/^\|[ |:-]+\|\n/gm, '').replaceAll(
    /^\|(.*)\|$/gm,
    (_row, cells: string) =>
      `${cells
        .split('|')
        .map((cell) => cell.trim())
        .filter(Boolean)
        .join(' · ')};`,
  )

type SearchRow = Omit<SearchEntry, 'id'>

/** Everything that can be found. */
export function findables(pages: readonly SitePage[], markdown: readonly MarkdownPage[]): SearchEntry[] {
  const texts = new Map(markdown.map(({ slug, markdown: text }) => [slug, text]))
  const all = pages.flatMap((page): SearchRow[] =>
    isOperation(page) ? ofOperation(page) : ofGuide(page, texts.get(page.slug) ?? ''),
  )
  return reportedOnce(all).map((found, id) => ({ ...found, id }))
}

/** An error of several operations, or a field of several variants of one body, is listed once. */
function reportedOnce(all: readonly SearchRow[]): SearchRow[] {
  const groups = Map.groupBy(all, (found) =>
    found.kind === 'Error' || found.kind === 'Field'
      ? [found.kind, found.title, found.about, found.kind === 'Field' ? found.page : found.keywords].join('\n')
      : found.address + found.title,
  )
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const elsewhere = new Set(others.map(({ page }) => page).filter((page) => page !== first.page)).size
    return [elsewhere === 0 ? first : { ...first, page: `${first.page} and ${elsewhere} more` }]
  })
}

const isOperation = (page: SitePage): page is OperationSitePage => 'fields' in page

function ofGuide({ slug, title, about, headings }: SitePage, markdown: string): SearchRow[] {
  const [first = '', ...parts] = withoutSamples(markdown)
    .replace(/^# .*\n/, '')
    .split(/^(?=##+ )/m)
  const address = addressOf(slug)
  const factor = FOR_OPERATORS.has(slug) ? FOR_OPERATORS_WEIGHT : 1
  const shared = { page: title }
  return [
    {
      ...shared,
      title,
      kind: 'Guide',
      about: shortened(plainText(about)),
      address,
      keywords: alsoCalled(slug),
      // Its parts do not reduce the weight of its name.
      weight: WEIGHTS.Guide,
      text: plainText(withRows(first)),
    },
    ...parts.map((part, place): SearchRow => {
      const heading = headings[place]
      const [, ...lines] = part.split('\n')
      const text = plainText(withRows(lines.join('\n')))
      return {
        ...shared,
        title: heading?.text ?? title,
        kind: 'Section',
        about: shortened(plainText(withRows(withoutCode(lines.join('\n'))))),
        address: `${address}#${heading?.id ?? ''}`,
        keywords: alsoCalled(`${slug}#${heading?.id ?? ''}`),
        weight: WEIGHTS.Section * factor,
        text,
      }
    }),
    ...(slug === 'sandbox' ? testNumbers(markdown, address, title) : []),
  ]
}

/** `| 002, 456 | FAILED … |` of the table "Test numbers". */
function testNumbers(markdown: string, address: string, page: string): SearchRow[] {
  const [, table = ''] = /^## Test numbers$([^]*?)(?=^#)/m.exec(markdown) ?? []
  return [...table.matchAll(/^\| (\d{3}[^|]*?) +\| (.+?) +\|/gm)].map(([, numbers = '', outcome = '']): SearchRow => {
    const text = plainText(outcome)
    return {
      title: `Test number that ends in ${numbers}`,
      kind: 'Test number',
      page,
      about: shortened(text),
      address: `${address}#${anchorOf('Test numbers')}`,
      keywords: 'test number msisdn',
      weight: WEIGHTS['Test number'],
      text,
    }
  })
}

function ofOperation(page: OperationSitePage): SearchRow[] {
  const { slug, title, about, triedOperation } = page
  const kind = triedOperation === undefined ? 'Request to you' : 'Operation'
  const text = plainText(about)
  return [
    {
      title,
      kind,
      page: title,
      about: shortened(text),
      address: addressOf(slug),
      keywords: alsoCalled(slug),
      weight: WEIGHTS[kind],
      text,
    },
    ...page.fields.map((placed) => ofField(page, placed)),
    ...page.errors.map((error) => ofError(page, error)),
  ]
}

function ofField({ slug, title }: SitePage, { id, field }: PlacedField): SearchRow {
  const text = plainText(field.about)
  return {
    title: field.name,
    kind: 'Field',
    page: whereOf(field, title),
    about: shortened(text),
    address: `${addressOf(slug)}#${id}`,
    // Readers search for the last part of `extra_params.bank_code`. Words of a header occur in many other names.
    keywords: field.place === undefined ? field.name.slice(field.name.lastIndexOf('.') + 1) : '',
    weight: WEIGHTS.Field * (id.startsWith('reply-') ? IN_REPLY_WEIGHT : 1),
    text: [text, ...field.values].join(' '),
  }
}

function whereOf({ place }: PlacedField['field'], title: string): string {
  if (place === undefined) return `Field of ${title}`
  // The same in all operations: listed once.
  return place === IN_REPLY ? 'Header of replies' : `Parameter of ${title}`
}

function ofError({ slug, title }: SitePage, { id, status, message, reason, when, row }: PlacedError): SearchRow {
  const text = plainText(row?.texts.join(' ') ?? when)
  return {
    title: message,
    kind: 'Error',
    page: `${status} of ${title}`,
    about: shortened(text),
    address: `${addressOf(slug)}#${id}`,
    keywords: status,
    weight: WEIGHTS.Error,
    text: reason === '' ? text : `${reason}: ${text}`,
  }
}
