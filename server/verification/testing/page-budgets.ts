// Size limits of pages as transferred; `npm run check` fails beyond them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import filePlugin from '@size-limit/file'
import sizeLimit from 'size-limit'
import { ICON } from '../../http/icon.ts'
import { LIVE_SCRIPT } from '../../payment-page/live-script.ts'
import { fakePayments, STEPS } from '../../payment-page/testing/fake-payments.ts'
import { readSummary, type InboxMessage } from '../../local/sandbox/inbox-message.ts'
import { inboxPage } from '../../local/sandbox/inbox-page.ts'
import { LIVE_SCRIPT as INBOX_SCRIPT } from '../../local/sandbox/live-script.ts'
import { BODY, check, NOW, sign } from '../../local/sandbox/testing/signed-callback.ts'

/** Bytes as transferred: docs are compressed, pages for one reader are not. */
export const BYTES_MAX = {
  /**
   * A page of the docs and everything it loads. 150 kB are promised: less than half of that is used, and must stay so.
   */
  docsPage: 60_000,
  /** Library and index of the search, loaded at the first search. */
  docsSearch: 120_000,
  /** A step of the payment page with its script and icon, on a slow phone. */
  paymentPage: 20_000,
  /** The inbox of the sandbox with ten messages, its script and icon. */
  inbox: 90_000,
} as const

/** A page with a budget. */
interface PageWeight {
  readonly name: string
  readonly bytes: number
  readonly bytesMax: number
}

/** Each page of a folder of built docs, and the search. */
export async function docsIn(folder: string): Promise<PageWeight[]> {
  const assets = readdirSync(join(folder, 'assets'))
  const loadedBy = (page: string): string[] => {
    const text = readFileSync(join(folder, page), 'utf8')
    return assets.filter((name) => text.includes(`"/docs/assets/${name}"`))
  }
  const weigh = async (name: string, files: readonly string[], bytesMax: number): Promise<PageWeight> => {
    const paths = files.map((file) => join(folder, file))
    const [weight] = (await sizeLimit([filePlugin], paths)) as readonly { readonly size: number }[]
    return { name: `docs: ${name}`, bytes: weight?.size ?? 0, bytesMax }
  }
  const inAssets = (names: readonly string[]): string[] => names.map((name) => join('assets', name))
  return Promise.all([
    ...readdirSync(folder)
      .filter((name) => name.endsWith('.html'))
      .map((page) => weigh(page, [page, ...inAssets(loadedBy(page))], BYTES_MAX.docsPage)),
    weigh('search', inAssets(assets.filter((name) => name.startsWith('search-'))), BYTES_MAX.docsSearch),
  ])
}

/** Each step of the payment page. */
async function paymentPages(): Promise<PageWeight[]> {
  const payments = fakePayments()
  try {
    return await Promise.all(
      Object.entries(STEPS).map(async ([name, step]) => {
        const { statusCode, rawPayload } = await payments.app.inject({ url: `/pay/collection/${payments.add(step)}` })
        if (statusCode !== 200) throw new Error(`the payment page answers ${statusCode} at ${name}`)
        const bytes = rawPayload.length + Buffer.byteLength(LIVE_SCRIPT) + Buffer.byteLength(ICON)
        return { name: `payment page: ${name}`, bytes, bytesMax: BYTES_MAX.paymentPage }
      }),
    )
  } finally {
    await payments.app.close()
  }
}

const INBOX_MESSAGES = 10

/** The inbox with real callbacks in it. */
async function inboxWithMessages(): Promise<PageWeight> {
  const [body, headers] = [Buffer.from(BODY), await sign()]
  const message = (id: number): InboxMessage => ({
    id: BigInt(id),
    receivedAt: NOW,
    kind: 'callback',
    delivery: 1,
    answered: 200,
    headers,
    body,
    bodyBytes: body.length,
    summary: readSummary(body),
    checks: check(headers),
  })
  const messages = Array.from({ length: INBOX_MESSAGES }, (_, place) => message(place + 1))
  const counts = { all: INBOX_MESSAGES, completed: INBOX_MESSAGES, failed: 0, cancelled: 0, handshakes: 0, bad: 0 }
  const page = inboxPage({ messages, filter: {}, counts, version: '10.10', baseUrl: 'http://127.0.0.1:8080' })
  const bytes = Buffer.byteLength(page) + Buffer.byteLength(INBOX_SCRIPT) + Buffer.byteLength(ICON)
  return { name: `inbox with ${INBOX_MESSAGES} messages`, bytes, bytesMax: BYTES_MAX.inbox }
}

const line = ({ name, bytes, bytesMax }: PageWeight): string => `${name}: ${bytes} of ${bytesMax} bytes`

/** @returns the pages that are too heavy, one line each */
export const beyondBudget = (all: readonly PageWeight[]): string[] =>
  all.filter(({ bytes, bytesMax }) => bytes > bytesMax).map(line)

if (import.meta.main) {
  const folder = fileURLToPath(new URL('../../../dist/docs', import.meta.url))
  if (!existsSync(join(folder, 'assets'))) throw new Error('the docs are not built yet: run npm run docs')
  const all = [...(await docsIn(folder)), ...(await paymentPages()), await inboxWithMessages()]
  const beyond = beyondBudget(all)
  const [fullest] = all.toSorted((one, other) => other.bytes / other.bytesMax - one.bytes / one.bytesMax)
  if (fullest) console.log(`${all.length} pages are weighed; the fullest is ${line(fullest)}`)
  for (const each of beyond) console.error(`too heavy: ${each}`)
  if (beyond.length > 0) process.exitCode = 1
}
