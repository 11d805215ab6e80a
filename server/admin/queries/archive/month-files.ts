import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Queryable } from '../../../storage/pool.ts'
import { long } from '../statements/bounds.ts'
import { type ArchivedTable, rowsOfMonth } from './archived-tables.ts'

export const MANIFEST = 'manifest.json'

/** One table of an archived month: compressed JSON lines. */
interface ArchivedFile {
  readonly table: string
  readonly file: string
  readonly rows: number
  /** Digest of the compressed file, hexadecimal. */
  readonly sha256: string
}

/** What the entries of a month moved on an account, and so what is brought forward when they are gone. */
export interface AccountSum {
  readonly account_id: string
  readonly kind: string
  readonly currency: string
  readonly merchant_id: string
  readonly provider_code: string
  readonly rail_account: string
  readonly entries: number
  /** Minor units, as text: the sum may exceed the range of a JSON number. */
  readonly sum_minor: string
}

export interface Manifest {
  readonly format: 1
  readonly month: string
  readonly from_id: string
  readonly until_id: string
  readonly archived_at: string
  readonly tables: readonly ArchivedFile[]
  readonly accounts: readonly AccountSum[]
}

const PAGE_ROWS = 5_000

/** The rows of a month in key order, each as a line of JSON. */
async function* linesOf(
  client: Queryable,
  table: ArchivedTable,
  month: Month,
  count: () => void,
): AsyncGenerator<string> {
  const { from, where } = rowsOfMonth(table, month.name, month)
  const key = table.key.join(', ')
  for (let after: readonly unknown[] | undefined; ;) {
    const beyond = after ? `(${key}) > (${table.key.map((_, n) => `$${n + 1}`).join(', ')})` : 'true'
    const { rows } = await client.query<{ line: string; key: readonly unknown[] }>(
      long(
        `select row_to_json(t)::text as line, json_build_array(${table.key.map((column) => `${column}::text`).join(', ')}) as key
         from ${from} t where ${where} and ${beyond} order by ${key} limit ${PAGE_ROWS}`,
        after,
      ),
    )
    for (const { line } of rows) {
      count()
      yield `${line}\n`
    }
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)?.key
  }
}

export interface Month {
  readonly name: string
  readonly fromId: bigint
  readonly untilId: bigint
}

/** Writes a table's rows of the month, and waits until they are on disk. */
export async function writeFileOf(
  client: Queryable,
  table: ArchivedTable,
  month: Month,
  folder: string,
): Promise<ArchivedFile> {
  const file = `${table.name}.ndjson.gz`
  const hash = createHash('sha256')
  let rows = 0
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const lines = Readable.from(linesOf(client, table, month, () => (rows += 1)))
  await pipeline(lines, createGzip(), hashed, createWriteStream(join(folder, file), { mode: 0o600, flush: true }))
  return { table: table.name, file, rows, sha256: hash.digest('hex') }
}

/** The lines of an archived table. */
export function readLines(folder: string, file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(join(folder, file)).pipe(createGunzip()), crlfDelay: Infinity })
}

export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest

/** A file differs from its manifest. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged'
}

/**
 * Reads all files again, from the first byte to the last.
 * @throws ArchiveDamaged when a file is not as it was written, or the entries do not sum to the manifest's
 * amounts
 */
export async function verifyFiles(folder: string, { tables, accounts }: Manifest): Promise<void> {
  const sums = new Map<string, bigint>()
  for (const { file, table, rows, sha256 } of tables) {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(join(folder, file))) hash.update(chunk as Buffer)
    if (hash.digest('hex') !== sha256)
      throw new ArchiveDamaged(`${join(folder, file)} is not the file that was written`)
    let found = 0
    for await (const line of readLines(folder, file)) {
      found += 1
      if (table === 'entries') addEntry(sums, line)
    }
    if (found !== rows) throw new ArchiveDamaged(`${join(folder, file)} has ${found} rows, not ${rows}`)
  }
  const off = accounts.filter(({ account_id, sum_minor }) => (sums.get(account_id) ?? 0n) !== BigInt(sum_minor))
  if (off.length > 0 || sums.size !== accounts.length)
    throw new ArchiveDamaged(`the entries in ${folder} do not sum to what its manifest says`)
}

const ENTRY = /"account_id":(\d+),"amount_minor":(-?\d+)/

function addEntry(sums: Map<string, bigint>, line: string): void {
  const [, account, amount] = ENTRY.exec(line) ?? []
  if (account === undefined || amount === undefined) throw new ArchiveDamaged(`no entry: ${line}`)
  sums.set(account, (sums.get(account) ?? 0n) + BigInt(amount))
}
