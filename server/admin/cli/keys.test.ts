import { expect, test } from 'vitest'
import { soon } from './testing/command-line.ts'
import { operatedGateway, type Merchant } from './testing/operated-gateway.ts'

const DAY_MS = 24 * 60 * 60_000

const gateway = await operatedGateway()
const { balancesStatus, json, malipo, newMerchant } = gateway

interface KeyRecord {
  readonly id: number
  readonly kind: string
  readonly valid: boolean
  readonly expires_at: string | null
}
const validKeys = async ({ public_key }: Merchant, kind: string) =>
  (await json<KeyRecord[]>(['keys', 'list', public_key])).filter((key) => key.kind === kind && key.valid)

test('a rotated secret key works; the old one ends; at most two are valid', async () => {
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
  await soon(async () => (await balancesStatus(merchant, second.secret_key)) === 200, 'the new key works')
  expect(await balancesStatus(merchant, merchant.secret_key)).toBe(200)
  expect(Date.parse(second.replaced[0]!.expires_at!) - Date.now()).toBeGreaterThan(DAY_MS - 60_000)

  const third = await rotate('--keep-old', '1h')
  await soon(async () => (await balancesStatus(merchant, merchant.secret_key)) === 401, 'the oldest key ended at once')
  expect([await balancesStatus(merchant, second.secret_key), await balancesStatus(merchant, third.secret_key)]).toEqual(
    [200, 200],
  )
  expect((await validKeys(merchant, 'secret_key')).map(({ id }) => id)).toEqual([third.id, second.id])

  const fourth = await rotate('--keep-old', '0')
  await soon(async () => (await balancesStatus(merchant, third.secret_key)) === 401, 'the replaced key ended at once')
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

test('says when the old key ends, and which key signs until then', async () => {
  const { public_key } = await newMerchant()
  const rotate = async (kind: string, ...options: string[]) =>
    (await malipo(['keys', 'rotate', public_key, '--kind', kind, ...options])).out
  expect(await rotate('signing_key', '--keep-old', '1h')).toMatch(
    /\nCallbacks and redirects: key \d+ signs until \S+ \S+Z, then key \d+\. Until then the receivers must accept both the old and the new\.\n$/,
  )
  expect(await rotate('signing_key', '--keep-old', '0')).toMatch(
    /\nKey \d+ is no longer valid\.\nKey \d+ is no longer valid\.\nCallbacks and redirects are signed with key \d+ at once: the receivers need it now\.\n$/,
  )
  expect(await rotate('webhook_secret')).toMatch(
    /has a new webhook_secret, key \d+; .*\n\nwebhook secret +whsec_\S+\n\nKeep it now: it is shown only once\.\nKey \d+ stays valid until /,
  )
})

test('a leaked RSA key is withdrawn after its replacement and answers 410', async () => {
  const keyAt = async (id: string) => (await fetch(`${gateway.url}/.well-known/malipo-rsa/${id}.pem`)).status
  const { id: leaked } = await json<{ id: string }>(['keys', 'rotate', '--rsa'])
  const tooSoon = await malipo(['keys', 'withdraw', '--rsa', leaked])
  expect([tooSoon.code, tooSoon.out]).toEqual([1, ''])
  expect(tooSoon.err).toMatch(
    /is the one that signs: make its successor.*\.\n.* npx --no -- malipo keys rotate --rsa --reason <text>\n$/,
  )
  expect(await keyAt(leaked)).toBe(200)

  const { id } = await json<{ id: string }>(['keys', 'rotate', '--rsa'])
  const done = await malipo(['keys', 'withdraw', '--rsa', leaked.toUpperCase()])
  expect(done).toMatchObject({ code: 0, err: expect.stringContaining(leaked) as string })
  expect(done.out).toContain(`RSA key ${leaked} is withdrawn`)
  await soon(async () => (await keyAt(leaked)) === 410, 'the withdrawn key is gone')
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
