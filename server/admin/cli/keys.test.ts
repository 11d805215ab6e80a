import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPool } from '../../storage/pool.ts'
import { loadReferenceData } from '../../storage/reference-data.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { until } from '../../verification/testing/served-gateway.ts'
import { soon } from './testing/command-line.ts'
import { operatedGateway, type Merchant } from './testing/operated-gateway.ts'
import { MASTER_KEY } from '../../verification/testing/gateway.ts'

const DAY_MS = 24 * 60 * 60_000

const gateway = await operatedGateway()
const { balancesStatus, collect, deliveredTimes, json, malipo, newMerchant } = gateway

interface KeyRecord {
  readonly id: number
  readonly kind: string
  readonly valid: boolean
  readonly expires_at: string | null
}
const validKeys = async ({ public_key }: Merchant, kind: string) =>
  (await json<KeyRecord[]>(['keys', 'list', public_key])).filter((key) => key.kind === kind && key.valid)

test('a rotated secret key works in a second; the old one ends; at most two are valid', async () => {
  const merchant = await newMerchant()
  const rotate = (...options: string[]) =>
    json<{ id: number; secret_key: string; replaced: KeyRecord[] }>([
      'keys',
      'rotate',
      merchant.public_key,
      '--kind',
      'secret_key',
      ...options,
    ])
  const second = await rotate()
  const rotatedAt = performance.now()
  await soon(async () => (await balancesStatus(merchant, second.secret_key)) === 200, 'the new key works')
  expect(performance.now() - rotatedAt).toBeLessThan(1_000)
  expect(await balancesStatus(merchant, merchant.secret_key)).toBe(200)
  expect(Date.parse(second.replaced[0]!.expires_at!) - Date.now()).toBeGreaterThan(DAY_MS - 60_000)

  const third = await rotate('--keep-old', '1h')
  await until(
    async () => (await balancesStatus(merchant, merchant.secret_key)) === 401,
    1_000,
    'the oldest key ended at once',
  )
  expect([await balancesStatus(merchant, second.secret_key), await balancesStatus(merchant, third.secret_key)]).toEqual(
    [200, 200],
  )
  expect((await validKeys(merchant, 'secret_key')).map(({ id }) => id)).toEqual([third.id, second.id])

  const fourth = await rotate('--keep-old', '0')
  await until(
    async () => (await balancesStatus(merchant, third.secret_key)) === 401,
    1_000,
    'the replaced key ended at once',
  )
  expect(await balancesStatus(merchant, fourth.secret_key)).toBe(200)
  expect((await validKeys(merchant, 'secret_key')).map(({ id }) => id)).toEqual([fourth.id])
  const listed =
    (await malipo(['keys', 'list', merchant.public_key])).out +
    JSON.stringify(await json(['merchant', 'show', merchant.public_key]))
  for (const secret of [
    merchant.secret_key,
    second.secret_key,
    third.secret_key,
    fourth.secret_key,
    merchant.signing_key,
  ])
    expect(listed).not.toContain(secret)
})

test('an old key that is kept for two seconds ends on the running server', async () => {
  const merchant = await newMerchant()
  await malipo(['keys', 'rotate', merchant.public_key, '--kind', 'secret_key', '--keep-old', '2s'])
  expect(await balancesStatus(merchant, merchant.secret_key)).toBe(200)
  await until(async () => (await balancesStatus(merchant, merchant.secret_key)) === 401, 4_000, 'the old key has ended')
})

// The command says when the old key ends.
test('a rotated signing key signs after the old one ends, at once with no overlap', async () => {
  const merchant = await newMerchant('--collection-callback-url', gateway.receiver.url)
  const signed = async (reference: string) => {
    const before = gateway.receiver.received.length
    await collect(merchant, reference)
    await deliveredTimes(reference, 1)
    const { headers, json: body } = gateway.receiver.received.slice(before)[0]!
    const { merchant_reference, internal_reference, transaction_type, transaction_status } = body.payload
    const text = [body.event, merchant_reference, internal_reference, transaction_type, transaction_status].join(':')
    return (key: string) =>
      String(headers['hmac-signature']).endsWith(`,s=${createHmac('sha256', key).update(text).digest('hex')}`)
  }
  const kept = await malipo(['keys', 'rotate', merchant.public_key, '--kind', 'signing_key', '--keep-old', '1h'])
  expect(kept.out).toMatch(
    /\nCallbacks and redirects: key \d+ signs until \S+ \S+Z, then key \d+\. Until then the receivers must accept both the old and the new\.\n$/,
  )
  expect((await signed('OLDSIGNS-0001'))(merchant.signing_key)).toBe(true)

  const atOnce = await malipo(['keys', 'rotate', merchant.public_key, '--kind', 'signing_key', '--keep-old', '0'])
  expect(atOnce.out).toMatch(
    /\nKey \d+ is no longer valid\.\nKey \d+ is no longer valid\.\nCallbacks and redirects are signed with key \d+ at once: the receivers need it now\.\n$/,
  )
  const newest = /signing key +(\S+)/.exec(atOnce.out)![1]!
  let tries = 0
  await soon(async () => (await signed(`NEWSIGNS-${++tries}0000`))(newest), 'the new key signs')
})

test('callbacks carry one signature per valid webhook secret', async () => {
  const merchant = await newMerchant('--collection-callback-url', gateway.receiver.url)
  const { out } = await malipo(['keys', 'rotate', merchant.public_key, '--kind', 'webhook_secret'])
  expect(out).toMatch(
    /has a new webhook_secret, key \d+; .*\n\nwebhook secret +whsec_\S+\n\nKeep it now: it is shown only once\.\nKey \d+ stays valid until /,
  )
  await json(['keys', 'rotate', merchant.public_key, '--kind', 'signing_key'])
  await new Promise((resolve) => setTimeout(resolve, 1_000)) // the command promises: known within a second
  const before = gateway.receiver.received.length
  await collect(merchant, 'SIGNED-0001')
  await deliveredTimes('SIGNED-0001', 1)
  const signatures = gateway.receiver.received
    .slice(before)
    .map(({ headers }) => headers['webhook-signature'] as string)
  expect(signatures.map((signature) => signature.split(' ').length)).toEqual([2])
  expect(await validKeys(merchant, 'signing_key')).toHaveLength(2)
})

test('a new RSA key signs and is served within a second; the previous one stays known', async () => {
  const served = async () => (await (await fetch(`${gateway.url}/.well-known/malipo-rsa.pem`)).text()).trim()
  const before = await served()
  const rotated = await json<{ id: string; public_pem: string }>(['keys', 'rotate', '--rsa'])
  await until(async () => (await served()) === rotated.public_pem.trim(), 1_000, 'the new key is served')
  const listed = await json<{ id: string; public_pem: string; signs: boolean }[]>(['keys', 'list', '--rsa'])
  expect(listed.map(({ public_pem, signs }) => [public_pem.trim(), signs])).toEqual([
    [rotated.public_pem.trim(), true],
    [before, false],
  ])
  const pool = createPool({ connection: gateway.database.connection, connectionsMax: 7, onError: () => undefined })
  const reference = await loadReferenceData({
    pool,
    box: createSecretBox(MASTER_KEY, { bytes: randomBytes }),
    clock: { now: () => new Date() },
    sandbox: true,
  })
  await pool.end()
  expect(reference.rsaPublicKeys()).toEqual(listed.map(({ id, public_pem }) => ({ id, pem: public_pem })))
  expect(reference.rsaSigningKey().id).toBe(rotated.id)
  for (const { id, public_pem } of listed) {
    const reply = await fetch(`${gateway.url}/.well-known/malipo-rsa/${id}.pem`)
    expect([reply.status, await reply.text()]).toEqual([200, public_pem])
    expect((await malipo(['keys', 'list', '--rsa'])).out).toMatch(new RegExp(`^${id} `, 'm'))
  }
})

test('a leaked RSA key is withdrawn after its replacement and answers 410 in a second', async () => {
  const keyAt = async (id: string) => (await fetch(`${gateway.url}/.well-known/malipo-rsa/${id}.pem`)).status
  const { id: leaked } = await json<{ id: string }>(['keys', 'rotate', '--rsa'])
  const tooSoon = await malipo(['keys', 'withdraw', '--rsa', leaked])
  expect([tooSoon.code, tooSoon.out]).toEqual([1, ''])
  expect(tooSoon.err).toMatch(
    /is the one that signs\. Make its successor with `npx --no -- malipo keys rotate --rsa --reason <text>`/,
  )
  expect(await keyAt(leaked)).toBe(200)

  const { id } = await json<{ id: string }>(['keys', 'rotate', '--rsa'])
  const done = await malipo(['keys', 'withdraw', '--rsa', leaked.toUpperCase()])
  expect(done).toMatchObject({ code: 0, err: expect.stringContaining(leaked) as string })
  expect(done.out).toContain(`RSA key ${leaked} is withdrawn`)
  await until(async () => (await keyAt(leaked)) === 410, 1_000, 'the withdrawn key is gone')
  expect(await keyAt(id)).toBe(200)

  const listed = await json<{ id: string; signs: boolean; withdrawn_at: string | null }[]>(['keys', 'list', '--rsa'])
  expect(listed.slice(0, 2)).toMatchObject([
    { id, signs: true, withdrawn_at: null },
    { id: leaked, signs: false, withdrawn_at: expect.stringMatching(/^\d{4}-/) as string },
  ])
  expect((await malipo(['keys', 'list', '--rsa'])).out).toMatch(new RegExp(`^${leaked} .* no +\\S+ \\S+Z$`, 'm'))
  const again = await json<{ withdrawn_at: string }>(['keys', 'withdraw', '--rsa', leaked])
  expect(again.withdrawn_at).toBe(listed[1]!.withdrawn_at)
  expect(await malipo(['keys', 'withdraw', '--rsa', '0123456789abcdef'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('there is no RSA key 0123456789abcdef') as string,
  })
})
