import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ONE_PIXEL } from '../../payment-page/testing/fake-payments.ts'
import { MASTER_KEY } from '../../verification/testing/gateway.ts'
import { folder, soon } from './testing/command-line.ts'
import { collection, operatedGateway } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()
const { json, malipo } = gateway

const CALLBACK_URL = 'http://localhost:9099/callbacks'

/** What `merchant create` printed, with the keys in it. */
async function create(name: string) {
  const { code, out } = await malipo(['merchant', 'create', name, '--collection-callback-url', CALLBACK_URL])
  const keyOf = (label: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(out)![1]!
  return {
    code,
    out,
    publicKey: keyOf('public key'),
    secretKey: keyOf('secret key'),
    otherSecrets: [keyOf('signing key'), keyOf('webhook secret')],
  }
}

interface MerchantOutput {
  readonly id: number
  readonly name: string
  readonly redirect_hosts: readonly string[] | null
  readonly options: readonly { readonly provider_code: string; readonly transaction_type: string }[]
}
const set = (publicKey: string, ...options: string[]) =>
  json<MerchantOutput>(['merchant', 'set', publicKey, ...options])

test('prints the keys of a new merchant once, and they work', async () => {
  const { code, out, publicKey, secretKey, otherSecrets } = await create('Duka la Pili')
  expect(code).toBe(0)
  expect(out).toMatch(/Keep these keys now: they are shown only once/)
  const shown = await json<MerchantOutput>(['merchant', 'show', publicKey])
  expect(shown).toMatchObject({
    name: 'Duka la Pili',
    collection_callback_url: CALLBACK_URL,
    sandbox_only: false,
  })
  expect(typeof shown.id).toBe('number')
  const everything =
    JSON.stringify(shown) +
    (await malipo(['merchant', 'show', String(shown.id)])).out +
    (await malipo(['merchant', 'list'])).out
  for (const secret of [secretKey, ...otherSecrets]) expect(everything).not.toContain(secret)
  await soon(
    async () => (await gateway.balancesStatus({ public_key: publicKey }, secretKey)) === 200,
    'the new keys work',
  )
})

test('changes a merchant with its options, and lists it under its new name', async () => {
  const { publicKey } = await create('Duka la Pili')
  const disabled = ['mtn_ug:COLLECTION', 'bank_ng:payout', 'airtel_ug:PAYOUT'].flatMap((option) => [
    '--disable',
    option,
  ])
  const both = await malipo(['merchant', 'set', publicKey, ...disabled, '--enable', 'airtel_ug:PAYOUT'])
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('airtel_ug:PAYOUT is to be enabled and disabled')])
  const toggled = [...disabled.slice(0, 4), '--enable', 'airtel_ug:PAYOUT']
  const urls = ['--collection-callback-url', '', '--verification-url', 'https://shop.example/check']
  const changed = await set(publicKey, '--name', 'Duka la Tatu', ...urls, ...toggled)
  expect(changed).toMatchObject({
    name: 'Duka la Tatu',
    collection_callback_url: null,
    verification_url: 'https://shop.example/check',
  })
  const options = changed.options.map((option) => `${option.provider_code}:${option.transaction_type}`)
  expect(options).not.toContain('mtn_ug:COLLECTION')
  expect(options).not.toContain('bank_ng:PAYOUT')
  expect(options).toContain('mtn_ug:PAYOUT')
  const listed = await json<MerchantOutput[]>(['merchant', 'list'])
  expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['Duka la Mfano', 'Duka la Tatu']))
})

test('sets, shows and removes the hosts that customers may be sent to', async () => {
  const { publicKey } = await create('Duka la Pili')
  const hosts = await set(publicKey, '--redirect-hosts', 'Shop.example, *.shop.example')
  expect(hosts.redirect_hosts).toEqual(['shop.example', '*.shop.example'])
  expect((await malipo(['merchant', 'show', publicKey])).out).toMatch(
    /^customers sent to +shop\.example \*\.shop\.example$/m,
  )
  for (const none of ['', 'none'])
    expect(await set(publicKey, '--redirect-hosts', none)).toMatchObject({ redirect_hosts: null })
  const wrong = await malipo(['merchant', 'set', publicKey, '--redirect-hosts', 'https://shop.example/'])
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringMatching(/hosts such as shop\.example or \*\.shop\.example.*; https:\/\/shop\.example\/ is none/),
  ])
})

test('sets, shows, serves and removes what customers see of a merchant', async () => {
  const { publicKey } = await create('Duka la Pili')
  const files = folder('logo').MALIPO_DATA_DIR ?? ''
  mkdirSync(files, { recursive: true })
  const logo = join(files, 'logo.png')
  writeFileSync(logo, ONE_PIXEL)
  const brand = ['merchant', 'brand', publicKey]
  const set = await json([...brand, '--colour', '#FFCB05', '--support', '+256 772 000123', '--logo', logo])
  const shown = {
    brand_colour: '#ffcb05',
    support_contact: 'tel:+256772000123',
    logo_digest: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  }
  expect(set).toEqual(shown)
  expect(await json(['merchant', 'show', publicKey])).toMatchObject(shown)

  const body = { ...collection('BRANDED-1'), mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }
  const { data } = (await (await gateway.api('/collections/initialize', { 'public-key': publicKey }, body)).json()) as {
    data: { payment_url: string }
  }
  const path = `/pay/logo/${String(set.logo_digest)}`
  await soon(async () => (await (await fetch(data.payment_url)).text()).includes(path), 'the page has the logo')
  const picture = await fetch(gateway.url + path)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])

  const { code, err } = await malipo([...brand, '--logo', join(files, 'none.png')])
  expect([code, err]).toEqual([2, expect.stringMatching(/--logo cannot be used.*ENOENT/)])
  const none = { brand_colour: null, support_contact: null, logo_digest: null }
  expect(await json([...brand, '--colour', 'none', '--support', '', '--logo', 'none'])).toEqual(none)
  expect((await fetch(gateway.url + path)).status).toBe(404)
})

test('an unknown object ends with 3', async () => {
  for (const args of [
    ['merchant', 'show', 'pub_nobody'],
    ['transaction', 'show', 'NO-SUCH-REFERENCE'],
    ['transaction', 'events', '1234567890'],
    ['callback', 'show', '999999'],
    ['callback', 'resend', 'cb_NONE'],
    ['transaction', 'list', '--merchant', 'pub_nobody'],
    ['merchant', 'set', '1', '--enable', 'mtn_xx:COLLECTION'],
    ['wallet', 'show', 'pub_nobody'],
    ['wallet', 'deposit', 'pub_nobody', 'UGX', '5'],
    ['wallet', 'deposit', '1', 'CHF', '5'],
    ['reconcile', 'list', 'mtn-tyr'],
    ['reconcile', 'claims', 'mtn-tyr'],
    ['statement', 'list', 'mtn-tyr'],
    ['rail', 'log', '--rail-account', 'mtn-tyr'],
    ['keys', 'list', 'pub_nobody'],
    ['keys', 'rotate', 'pub_nobody', '--kind', 'secret_key'],
    ['callback', 'resend', '--transaction', 'NO-SUCH-REFERENCE'],
    ['transaction', 'list', '--stuck', '--merchant', 'pub_nobody'],
  ]) {
    const { code, out, err } = await malipo(args)
    expect([code, out], args.join(' ')).toEqual([3, ''])
    expect(err).toMatch(/^malipo: there is no .*\nSee/)
  }
})

test("seals nothing with a master key other than the server's", async () => {
  const before = await json<unknown[]>(['merchant', 'list'])
  const { code, err } = await malipo(['merchant', 'create', 'Mgeni'], {
    MALIPO_MASTER_KEY: 'another key of at least 32 characters',
  })
  expect(code).toBe(1)
  expect(err).toMatch(/MALIPO_MASTER_KEY is not the key that this database was written with/)
  expect(await json(['merchant', 'list'])).toHaveLength(before.length)
})

test('live mode does not touch the database of a sandbox', async () => {
  const { code, out, err } = await malipo(['merchant', 'list'], {
    MALIPO_MODE: 'live',
    MALIPO_MASTER_KEY: MASTER_KEY,
  })
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(
    /^malipo: this database belongs to sandbox mode, .*\nUnset MALIPO_MODE to use it; live mode needs a database of its own/,
  )
})
