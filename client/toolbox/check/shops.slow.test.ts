import { freePort } from '../../../server/verification/testing/free-port.ts'
import { describe, expect, test } from 'vitest'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { startReceiver } from '../../../server/verification/testing/receiver.ts'
import { BROKEN_SHOPS } from '../testing/broken-shops.ts'
import { startFastifyShop, type Patch } from '../testing/shop.ts'
import { run } from '../testing/terminal.ts'
import { GOOD_ROWS } from './good-rows.ts'
import { HANDSHAKE_ROWS } from './handshake-rows.ts'
import { HOSTILE_ROWS } from './hostile-rows.ts'
import { REDIRECT_ROWS } from './redirect-rows.ts'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'

// The shop that `new shop` writes passes every row; each way to break it fails the rows that cover it, and no other.

const ALL_ROWS = [...GOOD_ROWS, ...HOSTILE_ROWS, ...HANDSHAKE_ROWS, ...REDIRECT_ROWS].map(({ id }) => id)
/** The part of Malipo that the shop calls here: it knows no transaction. */
const malipo = await forFile(startReceiver())
malipo.answer({
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code: 404, status: 'error', message: 'not found', data: {} }),
})
const gatewayUrl = new URL(malipo.url).origin

type Verdicts = Readonly<Record<'wrong' | 'warning' | 'unseen' | 'left_out', readonly string[]>>

/** Starts such a shop, checks it, and returns the rows that were not right. */
async function verdictsOf(
  patches: readonly Patch[],
  more: readonly string[] = [],
): Promise<Verdicts & { readonly exitCode: number; readonly rows: readonly Row[] }> {
  const shop = await startFastifyShop({ port: await freePort(), gatewayUrl, patches })
  try {
    const { exitCode, printed, complained } = await run([...shop.checkArguments, '--json', ...more], shop.folder)
    expect(complained).toEqual([])
    const { rows } = JSON.parse(printed.join('\n')) as { readonly rows: readonly Row[] }
    const ids = (verdict: string) => rows.filter((row) => row.verdict === verdict).map(({ id }) => id)
    return {
      exitCode,
      rows,
      wrong: ids('wrong'),
      warning: ids('warning'),
      unseen: ids('unseen'),
      left_out: ids('left_out'),
    }
  } finally {
    await shop.stop()
  }
}

interface Row {
  readonly id: string
  readonly verdict: string
  readonly did: string
}

// Each takes seconds of waiting, and less than one of work: all of them run at once.
test.concurrent(
  'the shop that new shop writes passes every row',
  async () => {
    const { exitCode, rows, ...verdicts } = await verdictsOf([], ['--strict'])
    expect(verdicts).toEqual({ wrong: [], warning: [], unseen: [], left_out: [] })
    expect(rows.map(({ id }) => id)).toEqual(ALL_ROWS)
    expect(exitCode).toBe(0)
  },
  120_000,
)

describe.concurrent('a broken shop fails the rows about its fault', { timeout: 180_000 }, () => {
  test.each(sampledByDefault('ways to break the shop', BROKEN_SHOPS, 6))(
    'one that $how',
    async ({ patches, wrong, warnings = [], more = [] }) => {
      const verdicts = await verdictsOf(patches, more)
      expect(
        verdicts,
        JSON.stringify(
          verdicts.rows.filter(({ verdict }) => verdict !== 'ok'),
          null,
          2,
        ),
      ).toMatchObject({ wrong, warning: warnings, unseen: [], left_out: [] })
      expect(verdicts.exitCode).toBe(wrong.length > 0 ? 1 : 0)
    },
  )
})

test('each row but the first detects some fault of a shop', () => {
  const failed = new Set(BROKEN_SHOPS.flatMap(({ wrong, warnings = [] }) => [...wrong, ...warnings]))
  expect(ALL_ROWS.filter((id) => !failed.has(id))).toEqual(['good'])
})

test.concurrent(
  'a receiver with another secret fails the good rows, and refusals prove nothing',
  async () => {
    const { wrong, unseen, exitCode } = await verdictsOf(
      [],
      ['--secret', 'whsec_YW5vdGhlciBzZWNyZXQgYWx0b2dldGhlciwgMzIgYg=='],
    )
    expect(wrong).toEqual([
      'good',
      'duplicate',
      'duplicate_at_once',
      'second_id',
      'out_of_order',
      'payout_out_of_order',
      'failed',
      'extra_field',
      'raw_bytes',
      'rotated_secret',
      'slow',
      'handshake_known',
    ])
    expect(unseen).toContain('bad_signature')
    expect(exitCode).toBe(1)
  },
  120_000,
)
