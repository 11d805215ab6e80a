import { expect, test } from 'vitest'
import { soon } from './testing/command-line.ts'
import { operatedGateway } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()
const { api, become, collect, json, malipo, newMerchant } = gateway

const finalRecord = (reference: string) =>
  soon(async () => {
    const record = await json<{ transaction_status: string }>(['transaction', 'show', reference])
    return ['COMPLETED', 'FAILED'].includes(record.transaction_status) && record
  }, `${reference} is final`)

test('resolves a stuck payment once, either way, with its money and its callback', async () => {
  const { public_key } = await newMerchant()
  for (const [reference, args, status] of [
    ['HANGS-0001', ['--completed'], 'COMPLETED'],
    ['HANGS-0002', ['--failed', 'The operator found no transfer'], 'FAILED'],
    ['HANGS-0003', ['--failed', 'The operator blocks the account', '--code', 'ACCOUNT_blocked'], 'FAILED'],
  ] as const) {
    await collect({ public_key }, reference, '256772000006')
    await soon(
      async () =>
        (await json<{ transaction_status: string }>(['transaction', 'show', reference])).transaction_status ===
        'PROCESSING',
      `${reference} is with the rail`,
    )
    expect(await json(['transaction', 'resolve', reference, ...args])).toMatchObject({
      transaction_status: status,
    })
    expect(await malipo(['transaction', 'resolve', reference, ...args])).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `is ${status}: only what is PROCESSING, or paid by the rail and not booked, can be resolved`,
      ) as string,
    })
    const events = await json<{ kind: string; detail: string }[]>(['transaction', 'events', reference])
    expect(events.map(({ kind }) => kind)).toContain('resolved')
  }
  const verify = async (reference: string) =>
    (
      (await (await api(`/data/transaction/verify/${reference}`, { 'public-key': public_key })).json()) as {
        data: Record<string, unknown>
      }
    ).data
  const uncoded = await verify('HANGS-0002')
  expect(uncoded).toMatchObject({
    transaction_status: 'FAILED',
    status_message: 'The operator found no transfer',
    total_credit: 0,
  })
  expect(uncoded).not.toHaveProperty('failure_code')
  expect(await verify('HANGS-0003')).toMatchObject({
    transaction_status: 'FAILED',
    status_message: 'The operator blocks the account',
    failure_code: 'account_blocked',
  })
})

test.each([
  [['--failed', 'No', '--code', 'bad_luck'], 'It must be one of insufficient_funds, '],
  [['--completed', '--code', 'expired'], '--code goes with --failed'],
])('refuses an impossible failure code before anything happens: %j', async (args, words) => {
  const { code, err } = await malipo(['transaction', 'resolve', 'CODES-0001', ...args])
  expect(code).toBe(2)
  expect(err).toContain(words)
})

test("a collection's events cover its whole course; its entries sum to zero", async () => {
  const { public_key } = await newMerchant()
  await collect({ public_key }, 'EVENTS-0001')
  await finalRecord('EVENTS-0001')
  const events = await json<
    { kind: string; at: string; detail: string; entries?: { account: string; amount: number; currency: string }[] }[]
  >(['transaction', 'events', 'EVENTS-0001'])
  // It has no callback URL: its callback is stopped as it is made.
  expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'submitted', 'settled', 'callback_withheld', 'booked'])
  expect(events[0]!.detail).toBe('COLLECTION of 5000 UGX from *********123 by mtn_ug, for Duka Moja')
  const entries = events[4]!.entries!
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
  expect(entries).toContainEqual({ account: 'collection_available', amount: 4950, currency: 'UGX' })
  const { out } = await malipo(['transaction', 'events', 'EVENTS-0001'])
  expect(out).toMatch(/^EVENTS-0001 {2}COMPLETED: .*\n\n\d{4}-\S+Z {2}accepted /)
  expect(out).not.toContain('256772000123')
})

test.each([
  [['rate', 'set', 'XYZ', 'UGX', '3800'], 'There is no currency XYZ (ISO 4217).'],
  [['rate', 'set', 'USD', 'UGX', '0.0000000000001'], 'at most twelve digits on each side of the point'],
  [['approval', 'show', 'x'], 'It must be the number of a request.'],
  [['report', 'volume', '--since', '999999d'], 'It must be like 90s'],
  [['report', 'volume', '--since', '0000-01-01'], 'It must be like 90s'],
  [['rail', 'set', 'mtn-x', '--set', 'a=1', '--set', 'a=2'], 'a is set twice: set it once.'],
  [['merchant', 'set', '1', '--redirect-hosts', ' '], 'It names no host'],
])('says what is wrong with %j', async (args, words) => {
  const { code, err } = await malipo([...args])
  expect([code, err]).toEqual([2, expect.stringContaining(words)])
})

test('refunds under a reference of the contract, and cancels payouts only', async () => {
  const { public_key } = await newMerchant()
  await collect({ public_key }, 'REFUND-0002')
  const refund = ['transaction', 'refund', 'REFUND-0002', '--reason', 'Sold out', '--reference']
  for (const reference of ['has space 1', 'ééééééééé', 'short'])
    expect(await malipo([...refund, reference])).toMatchObject({
      code: 2,
      err: expect.stringContaining('reference must have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -') as string,
    })
  expect(await malipo(['transaction', 'cancel', 'REFUND-0002'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('REFUND-0002 is a collection: only payouts can be cancelled') as string,
  })
})

test('refunds no amount that is none', async () => {
  await collect(await newMerchant(), 'REFUND-0001')
  for (const amount of ['', 'all', '1,000', '-5', '1e3'])
    expect(
      await malipo(['transaction', 'refund', 'REFUND-0001', `--amount=${amount}`, '--reason', 'Sold out']),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${amount} is not an amount: write up to 12 digits`) as string,
    })
})

test('shows a transaction by any of its ids, with the account masked by default', async () => {
  const { public_key } = await newMerchant()
  await collect({ public_key }, 'SHOWN-0001', '256772000002')
  await finalRecord('SHOWN-0001')
  const record = await json<{ id: number; internal_reference: string }>([
    'transaction',
    'show',
    'SHOWN-0001',
    '--merchant',
    public_key,
  ])
  expect(record).toMatchObject({
    transaction_status: 'FAILED',
    failure_code: 'insufficient_funds',
    transaction_account: '*********002',
    transaction_amount: 5000,
    transaction_charge: 0,
    total_credit: 0,
    merchant_public_key: public_key,
  })
  expect(await json(['transaction', 'show', record.internal_reference])).toEqual(record)
  expect(await json(['transaction', 'show', String(record.id)])).toEqual(record)
  expect(await json(['transaction', 'show', 'SHOWN-0001', '--full', '--reason', 'The customer asks'])).toMatchObject({
    transaction_account: '256772000002',
  })
  expect((await malipo(['transaction', 'show', 'SHOWN-0001', '--full'])).err).toMatch(/--full needs a reason/)
  expect(await json(['audit', 'list', '--subject', record.internal_reference])).toMatchObject([
    { command: 'transaction show --full', reason: 'The customer asks', merchant_id: expect.any(Number) as number },
  ])
  const { out } = await malipo(['transaction', 'show', 'SHOWN-0001'])
  expect(out).toMatch(/account +\*{9}002\n/)
  expect(out).toMatch(/failure code +insufficient_funds\n/)
  expect(await json(['transaction', 'list', '--merchant', public_key])).toMatchObject([
    { merchant_reference: 'SHOWN-0001', failure_code: 'insufficient_funds' },
  ])
})

test('a reference of two merchants needs --merchant', async () => {
  const [one, two] = [await newMerchant(), await newMerchant()]
  for (const { public_key } of [one, two]) await collect({ public_key }, 'SHARED-0001')
  const { code, err } = await malipo(['transaction', 'show', 'SHARED-0001'])
  expect(code).toBe(2)
  expect(err).toMatch(/2 transactions have the reference SHARED-0001/)
  expect(await json(['transaction', 'show', 'SHARED-0001', '--merchant', two.public_key])).toMatchObject({
    merchant_public_key: two.public_key,
  })
})

test('transactions are listed newest first, by merchant, status, time and number', async () => {
  const { public_key } = await newMerchant()
  for (const n of [1, 2, 3]) await collect({ public_key }, `LISTED-000${n}`, n === 2 ? '256772000004' : '256772000001')
  for (const n of [1, 2, 3]) await finalRecord(`LISTED-000${n}`)
  const list = async (...options: string[]) =>
    (await json<{ merchant_reference: string }[]>(['transaction', 'list', '--merchant', public_key, ...options])).map(
      (row) => row.merchant_reference,
    )
  expect(await list()).toEqual(['LISTED-0003', 'LISTED-0002', 'LISTED-0001'])
  expect(await list('--status', 'failed')).toEqual(['LISTED-0002'])
  expect(await list('--limit', '1')).toEqual(['LISTED-0003'])
  expect(await list('--since', '1h')).toHaveLength(3)
  expect(await list('--since', new Date(Date.now() + 60_000).toISOString())).toEqual([])
  const { out } = await malipo(['transaction', 'list', '--merchant', public_key])
  expect(out).toMatch(/^ACCEPTED +REFERENCE/)
  expect(out).not.toMatch(/256772000/)
})

test('stuck is what is PROCESSING for longer than 10 minutes, or another span', async () => {
  const merchant = await newMerchant()
  await collect(merchant, 'STUCK-0001', '256772000006')
  await become('STUCK-0001', 'PROCESSING')
  const stuck = async (...options: string[]) =>
    (
      await json<{ merchant_reference: string }[]>([
        'transaction',
        'list',
        '--stuck',
        '--merchant',
        merchant.public_key,
        ...options,
      ])
    ).map((row) => row.merchant_reference)
  expect(await stuck()).toEqual([])
  expect(await stuck('--older-than', '0')).toEqual(['STUCK-0001'])
  // Accepted long ago, but submitted to the rail a moment ago: the customer took their time.
  await gateway.client.query(
    `update transactions set created_at = created_at - interval '11 minutes' where merchant_reference = 'STUCK-0001'`,
  )
  expect(await stuck()).toEqual([])
  await gateway.client.query('alter table transaction_events disable trigger append_only')
  await gateway.client.query(
    `update transaction_events e set at = at - interval '11 minutes' from transactions t where t.id = e.transaction_id and t.merchant_reference = 'STUCK-0001'`,
  )
  await gateway.client.query('alter table transaction_events enable trigger append_only')
  expect(await stuck()).toEqual(['STUCK-0001'])
  expect(await stuck('--older-than', '1h')).toEqual([])
  expect((await malipo(['transaction', 'list', '--stuck'])).out).toMatch(
    /^WAITS FOR +SINCE +FOR +REFERENCE.*\nrail .* 11 min +STUCK-0001 +COLLECTION/,
  )
})

test('lists page after page, each naming the next one', async () => {
  const merchant = await newMerchant()
  const references = [1, 2, 3, 4, 5].map((n) => `PAGED-000${n}`)
  for (const reference of references) {
    await collect(merchant, reference, '256772000006')
    await become(reference, 'PROCESSING')
  }
  const pages = async (...options: string[]): Promise<string[][]> => {
    const list = ['transaction', 'list', '--merchant', merchant.public_key, '--limit', '2', ...options]
    const found: string[][] = []
    for (let after: string[] = []; found.length < 10;) {
      const { code, out, err } = await malipo([...list, '--json', ...after])
      expect(code, err).toBe(0)
      found.push((JSON.parse(out) as { merchant_reference: string }[]).map((row) => row.merchant_reference))
      const [, place] = /^There is more: repeat the command with --after (\S+)\n$/.exec(err) ?? []
      if (place === undefined) return found
      after = ['--after', place]
    }
    return found
  }
  const [one, two, three, four, five] = references
  expect(await pages('--stuck', '--older-than', '0')).toEqual([[one, two], [three, four], [five]])
  expect(await pages()).toEqual([[five, four], [three, two], [one]])
  expect(await pages('--limit', '5')).toEqual([[five, four, three, two, one]])
})

test.each([
  [['--stuck', '--after', '12']],
  [['--stuck', '--after', '2026-13-45T00:00:00Z_12']],
  [['--after', '2026-11-20T10:00:00.000Z_12']],
  [['--after', 'ORDER-1']],
])('refuses a page position that no page returned: %j', async (options) => {
  expect(await malipo(['transaction', 'list', ...options])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--after takes the end that the previous page printed') as string,
  })
})
