import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHAIN_START, linkHash } from '../../domain/hash-chain.ts'
import { depositTransfer } from '../../domain/ledger.ts'
import { bookByStaff } from '../../verification/testing/book-by-staff.ts'
import { chainAll } from '../../verification/testing/chain-all.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { json, malipo } from './testing/command-line.ts'
import { environmentOf } from './testing/operated-gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

const database = await databaseTest()
const { pool } = database
const env = environmentOf(database)
const { path: folder } = temporaryFolder()
const file = join(folder, 'anchors.txt')
const doctor = () => malipo(['doctor', '--anchor', file], env)

test('prints the head of the chain, which the doctor finds again', async () => {
  const { code, out } = await malipo(['ledger', 'anchor'], env)
  expect(code).toBe(0)
  expect(out).toMatch(/^1 [0-9a-f]{64} 20\S+Z\n$/)
  expect(await json(['ledger', 'anchor'], env)).toEqual({
    sequence: 1,
    hash: out.split(' ')[1],
    at: out.trim().split(' ')[2],
  })
  await bookByStaff(pool, depositTransfer(1n, 'UGX', 700n), new Date())
  await chainAll(pool, new Date())
  const { out: second } = await malipo(['ledger', 'anchor'], env)
  await writeFile(file, `${out}\n${second}`)
  expect(await doctor()).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok {5}the hash chain has every head that was stored elsewhere$/m) as string,
  })
})

test('distinguishes the head from one of a rebuilt chain, and shows where they part', async () => {
  await bookByStaff(pool, depositTransfer(1n, 'UGX', 900n), new Date())
  await chainAll(pool, new Date())
  const { out: third } = await malipo(['ledger', 'anchor'], env)
  const { out: kept } = await malipo(['ledger', 'anchor'], env)
  expect(kept).toBe(third)
  const first = await pool.query<{ line: string }>(
    `select seq || ' ' || encode(hash, 'hex') || ' 2026-11-26T10:00:00.000Z' as line from ledger_links where seq = 1`,
  )
  await writeFile(file, `${first.rows[0]!.line}\n${third}`)
  await makeChainAnew()
  const { code, out } = await doctor()
  expect(code).toBe(1)
  expect(out).toMatch(
    /WRONG .* every head that was stored elsewhere: 1 does not\n +link 3 of the anchor of 20\S+ has another hash: the chain differs after link 1, which agrees/,
  )
  expect(out).toMatch(/^ok {5}every transfer is in the hash chain/m)
})

test.each([
  ['a file that is not there', undefined, 1, /cannot be read \(ENOENT\)/],
  ['an empty file', '\n', 2, /there is no anchor in .*anchors.txt/],
  [
    'a line that is none',
    '1 abc\n',
    2,
    /line 1 of .*anchors.txt is no anchor: it must be a line as .*ledger anchor prints it/,
  ],
])('refuses %s', async (_what, text, code, err) => {
  await (text === undefined ? rm(file) : writeFile(file, text))
  expect(await doctor()).toMatchObject({ code, err: expect.stringMatching(err) as string })
})

/** What the owner of the database could do: change a digest, and every hash after it. */
async function makeChainAnew(): Promise<void> {
  const { rows } = await pool.query<{ seq: bigint; digests: Buffer; hash: Buffer }>(
    'select seq, digests, hash from ledger_links order by seq',
  )
  await pool.query('alter table ledger_links disable trigger user; alter table transfers disable trigger user')
  await pool.query(
    `update transfers set created_at = created_at + interval '1 second' where id = (select transfer_ids[1] from ledger_links where seq = 2)`,
  )
  const { readTransferDigests } = await import('../../storage/transfer-digests.ts')
  let previous: Uint8Array = CHAIN_START
  for (const { seq, digests } of rows) {
    const ids = (
      await pool.query<{ ids: string[] }>('select transfer_ids as ids from ledger_links where seq = $1', [seq])
    ).rows[0]!.ids.map(BigInt)
    const now = await readTransferDigests(pool, ids)
    const made = seq === 1n ? digests : Buffer.concat(ids.map((id) => now.get(id)!))
    previous = linkHash(seq, previous, made)
    await pool.query('update ledger_links set digests = $2, hash = $3 where seq = $1', [seq, made, previous])
  }
  await pool.query('alter table ledger_links enable trigger user; alter table transfers enable trigger user')
}
