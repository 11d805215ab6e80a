import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject } from '../openapi/reading/json.ts'

/**
 * Operations and webhooks beyond the original description that the suite cannot lead a payment to yet: they need a
 * collection that is paid, a batch of other requests, a payout that waits. Their own tests hold them.
 */
export const NOT_ASKED: ReadonlySet<string> = new Set([
  'cancelPayout',
  'createPayoutBatch',
  'getPayoutBatch',
  'payoutBatchCallback',
  'refundCollection',
  'retrieveRefund',
  'refundCallback',
])

type Items = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const isNotAsked = (operation: unknown): boolean =>
  isObject(operation) && NOT_ASKED.has(String(operation['operationId']))

/** The paths or webhooks without the operations that are not asked. */
const asked = (items: Items): Items =>
  Object.fromEntries(
    Object.entries(items)
      .map(
        ([name, item]) =>
          [name, Object.fromEntries(Object.entries(item).filter(([, one]) => !isNotAsked(one)))] as const,
      )
      .filter(([, item]) => Object.values(item).some((one) => isObject(one) && 'responses' in one)),
  )

/** Without links to what is not asked, wherever they are. */
function withoutLinks(links: Items): (name: string, value: unknown) => unknown {
  const refs = new Set(
    Object.entries(links).flatMap(([name, link]) => (isNotAsked(link) ? [`#/components/links/${name}`] : [])),
  )
  return (_name, value) =>
    isNotAsked(value) || (isObject(value) && refs.has(String(value['$ref']))) ? undefined : value
}

/** Writes our contract without what is not asked. @returns its file, and what removes it */
export async function describedContract(file: string): Promise<{ file: string; remove: () => Promise<void> }> {
  const document = JSON.parse(await readFile(file, 'utf8')) as {
    paths: Items
    webhooks: Items
    components: { links: Items }
  }
  const limited = { ...document, paths: asked(document.paths), webhooks: asked(document.webhooks) }
  const folder = await mkdtemp(join(tmpdir(), 'contract-'))
  const written = join(folder, 'openapi.json')
  await writeFile(written, JSON.stringify(limited, withoutLinks(document.components.links)))
  return { file: written, remove: () => rm(folder, { recursive: true, force: true }) }
}
