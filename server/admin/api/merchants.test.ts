import { expect, test } from 'vitest'
import { ONE_PIXEL } from '../../payment-page/testing/fake-payments.ts'
import { present } from '../../domain/present.ts'
import { payoutBalance } from '../../verification/testing/requests.ts'
import { createAdmin } from '../../../client/admin.ts'
import { adminApiTest } from './testing/admin-api-test.ts'

const { gateway, merchantsUrl, token, client, key } = await adminApiTest()
const [admin, finance] = [client(await token('admin')), client(await token('finance'))]
const DEMO = 'pub_sandbox_demo'
const of = (merchant: string) => ({ params: { path: { merchant } } })
const at = (merchant: string) => ({ params: { path: { merchant }, header: key() } })
const reason = 'Asked by the merchant'

async function newMerchant(name: string) {
  const { data, error } = await admin.POST('/merchants', { params: { header: key() }, body: { name } })
  expect(error).toBeUndefined()
  return present(data, 'the new merchant').data as { readonly merchant_id: string; readonly public_key: string }
}

test('creates a merchant whose keys are shown once, and finds it by its name', async () => {
  const headers = key()
  const create = () =>
    admin.POST('/merchants', {
      params: { header: headers },
      body: { name: 'Duka Moja', collection_callback_url: 'https://shop.example/malipo' },
    })
  const [first, second] = [await create(), await create()]
  expect(first.data?.data).toMatchObject({ secret_key: expect.stringMatching(/^sec_/) as string })
  expect(second.error).toMatchObject({ code: 409, message: expect.stringContaining('shown once') as string })
  const found = await admin.GET('/merchants', { params: { query: { q: 'duka MO' } } })
  expect(found.data?.data.items).toMatchObject([
    { name: 'Duka Moja', collection_callback_url: 'https://shop.example/malipo', sandbox_only: false },
  ])
  const { rows } = await gateway.pool.query<{ outcome: unknown }>('select outcome from admin_requests')
  expect(JSON.stringify(rows)).not.toContain('sec_')
})

test('lists merchants page by page, the newest first', async () => {
  const names: string[] = []
  for (const name of ['Page A', 'Page B', 'Page C']) await newMerchant(name)
  for (let after: string | undefined; ;) {
    const query = { q: 'page', limit: 2, ...(after !== undefined && { after }) }
    const { data } = await admin.GET('/merchants', { params: { query } })
    names.push(...(data?.data.items ?? []).map(({ name }) => name))
    after = data?.data.next
    if (after === undefined) break
  }
  expect(names).toEqual(['Page C', 'Page B', 'Page A'])
  const wrong = await admin.GET('/merchants', { params: { query: { after: 'x' } } })
  expect(wrong.error?.message).toBe('after must be the next of a previous page')
})

test('changes URLs, hosts and options, refuses what cannot be, and shows the result', async () => {
  const { public_key } = await newMerchant('Duka Mbili')
  const change = (body: object) => admin.POST('/merchants/{merchant}', { ...at(public_key), body: { reason, ...body } })
  const payouts = { provider_code: 'mtn_ug', transaction_type: 'PAYOUT' } as const
  expect(
    (await change({ payout_callback_url: 'https://a.example/p', redirect_hosts: ['A.example'], disable: [payouts] }))
      .error,
  ).toBeUndefined()
  const shown = async () => (await admin.GET('/merchants/{merchant}', of(public_key))).data?.data
  expect(await shown()).toMatchObject({
    payout_callback_url: 'https://a.example/p',
    redirect_hosts: ['a.example'],
    callbacks_failing: [],
  })
  expect((await shown())?.options).not.toContainEqual(payouts)
  await change({ payout_callback_url: '' })
  expect(await shown()).not.toHaveProperty('payout_callback_url')
  const refused = async (body: object) => (await change(body)).error?.message
  expect(await refused({})).toBe('nothing to change')
  expect(await refused({ verification_url: 'ftp://a.example' })).toMatch(/^the verification URL cannot be used: /)
  expect(await refused({ redirect_hosts: ['https://a.example/'] })).toMatch(/^redirect hosts cannot be used: /)
  expect(await refused({ name: 'Duka\u202e' })).toMatch(/control character/)
  expect(await refused({ enable: [{ ...payouts, provider_code: 'mtn_xx' }] })).toBe(
    'there is no payment option mtn_xx:PAYOUT',
  )
})

test('changes and removes what customers see of a merchant', async () => {
  const { public_key } = await newMerchant('Duka Tatu')
  const brand = (body: object) => admin.POST('/merchants/{merchant}/brand', { ...at(public_key), body })
  const shown = async () => (await admin.GET('/merchants/{merchant}', of(public_key))).data?.data
  const logo = ONE_PIXEL.toString('base64')
  expect((await brand({ colour: '#0B57A4', support_contact: '+256 772 000123', logo })).error).toBeUndefined()
  expect(await shown()).toMatchObject({
    brand_colour: '#0b57a4',
    support_contact: 'tel:+256772000123',
    logo_digest: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  })
  expect((await brand({ colour: 'red' })).error?.message).toMatch(/^the colour cannot be used: .*#0b57a4$/)
  expect((await brand({ logo: btoa('<svg/>') })).error?.message).toMatch(/SVG is not taken/)
  await brand({ colour: '', support_contact: '', logo: '' })
  expect(await shown()).not.toHaveProperty('brand_colour')
})

test('sets and removes own limits and charges, never wider than the provider', async () => {
  const option = { provider_code: 'mtn_ug', transaction_type: 'PAYOUT' } as const
  const limits = (body: object) =>
    finance.POST('/merchants/{merchant}/limits', { ...at(DEMO), body: { ...option, reason, ...body } })
  const terms = async () => (await finance.GET('/merchants/{merchant}/terms', of(DEMO))).data?.data.items
  await limits({ max_amount: '1000000' })
  await finance.POST('/merchants/{merchant}/charges', {
    ...at(DEMO),
    body: { ...option, charge_basis_points: 150, reason },
  })
  expect(await terms()).toEqual([{ ...option, currency: 'UGX', max_amount: 1_000_000, charge_basis_points: 150 }])
  expect((await limits({ max_amount: '9999999999' })).error?.message).toMatch(/^the maximum is wider than the one/)
  expect((await limits({ min_amount: '2000000' })).error?.message).toMatch(/^these settings contradict each other/)
  await finance.POST('/merchants/{merchant}/limits/remove', { ...at(DEMO), body: { ...option, reason } })
  await finance.POST('/merchants/{merchant}/charges/remove', { ...at(DEMO), body: { ...option, reason } })
  expect(await terms()).toEqual([])
})

test('moves money between the wallets, and shows the movement', async () => {
  const before = await payoutBalance(gateway.url)
  const transfer = (from: 'payout' | 'collection', amount: string) =>
    finance.POST('/merchants/{merchant}/transfers', {
      ...at(DEMO),
      body: { currency: 'UGX', amount, from, to: 'collection', reference: `MOVE-${from}`, reason },
    })
  expect((await transfer('payout', '700')).error).toBeUndefined()
  expect(await payoutBalance(gateway.url)).toBe(before - 700)
  const { data } = await finance.GET('/merchants/{merchant}/wallets', of(DEMO))
  expect(data?.data.movements).toContainEqual(
    expect.objectContaining({ reference: 'MOVE-payout', amount: 700, into: 'collection' }),
  )
  expect(data?.data.wallets).toContainEqual(
    expect.objectContaining({ wallet_type: 'MERCHANT_PAYOUT', currency: 'UGX', available_balance: before - 700 }),
  )
  expect((await transfer('collection', '700')).error?.message).toMatch(/two different wallets/)
})

test('a new key is shown once, the old one ends at its time, RSA keys rotate and end', async () => {
  const { public_key } = await newMerchant('Duka Nne')
  const { data } = await admin.POST('/merchants/{merchant}/keys', {
    ...at(public_key),
    body: { kind: 'secret_key', keep_old_seconds: 0, reason },
  })
  const { key_id, secret } = present(data, 'the new key').data as { readonly key_id: string; readonly secret: string }
  const listed = (await admin.GET('/merchants/{merchant}/keys', of(public_key))).data?.data.items ?? []
  expect(listed.filter(({ kind, valid }) => kind === 'secret_key' && valid).map(({ id }) => id)).toEqual([key_id])
  expect(JSON.stringify(listed)).not.toContain(secret)

  const rotate = async () => {
    const reply = await admin.POST('/rsa-keys', { params: { header: key() }, body: { reason } })
    return (present(reply.data, 'the RSA key').data as { readonly rsa_key_id: string }).rsa_key_id
  }
  const withdraw = (id: string) =>
    admin.POST('/rsa-keys/{key}/withdraw', { params: { path: { key: id }, header: key() }, body: { reason } })
  const leaked = await rotate()
  expect((await withdraw(leaked)).error).toMatchObject({ code: 409 })
  const next = await rotate()
  expect((await withdraw(leaked)).data?.data).toMatchObject({ rsa_key_id: leaked, before: false })
  const rsa = (await admin.GET('/rsa-keys')).data?.data.items ?? []
  expect(rsa.slice(0, 2)).toMatchObject([
    { id: next, signs: true },
    { id: leaked, signs: false, withdrawn_at: expect.any(String) as string },
  ])
})

test('adds and changes providers and rates', async () => {
  const body = {
    provider_code: 'mtn_new',
    name: 'MTN New',
    currency: 'UGX',
    calling_code: '256',
    prefixes: ['77'],
    transaction_types: ['COLLECTION' as const],
    min_amount: '500',
    max_amount: '3000000',
    max_daily_amount: '7000000',
    collection_charge_basis_points: 150,
  }
  const add = () => admin.POST('/providers', { params: { header: key() }, body })
  expect((await add()).data?.data).toEqual({ provider_code: 'mtn_new' })
  expect((await add()).error).toMatchObject({ code: 409, message: 'there is a provider mtn_new already' })
  const set = (change: object) =>
    finance.POST('/providers/{provider}', {
      params: { path: { provider: 'mtn_new' }, header: key() },
      body: { reason, ...change },
    })
  await set({ transaction_type: 'COLLECTION', charge_basis_points: 200, clearing_delay_seconds: 60, is_active: false })
  await set({ prefix_rule: 'hint' })
  const { data } = await finance.GET('/providers')
  expect(data?.data.items.find((one) => one.provider_code === 'mtn_new')).toMatchObject({
    charge_basis_points: 200,
    clearing_delay_seconds: 60,
    is_active: false,
    prefix_rule: 'hint',
  })
  const refused = async (change: object) => (await set(change)).error?.message
  expect(await refused({ is_active: true })).toMatch(/^the transaction type is needed/)
  expect(await refused({ rail_account: 'nobody' })).toBe('there is no rail account nobody')
  expect(await refused({ transaction_type: 'PAYOUT', is_active: true })).toBe('mtn_new does not offer PAYOUT')

  const rate = (to: string, text: string) =>
    finance.POST('/rates', { params: { header: key() }, body: { from: 'USD', to, rate: text, reason } })
  await rate('UGX', '3800.5')
  expect((await finance.GET('/rates')).data?.data.items).toContainEqual(
    expect.objectContaining({ from: 'USD', to: 'UGX', rate: '3800.5' }),
  )
  expect((await rate('USD', '1')).error?.message).toBe('a currency needs no exchange rate to itself')
  expect((await rate('UGX', '0')).error?.message).toBe('the rate must be above 0')
})

test('people of a merchant see and change their own merchant, never another', async () => {
  const { merchant_id: other, public_key } = await newMerchant('Duka Sita')
  const owner = createAdmin({ baseUrl: merchantsUrl, token: await token('owner', BigInt(other)) })
  const change = (merchant: string, body: object) =>
    owner.POST('/merchants/{merchant}', { ...at(merchant), body: { reason, ...body } })
  const url = { payout_callback_url: 'https://shop.example/payouts' }
  const rotate = (merchant: string) =>
    owner.POST('/merchants/{merchant}/keys', { ...at(merchant), body: { kind: 'signing_key', reason } })
  const brand = (merchant: string) =>
    owner.POST('/merchants/{merchant}/brand', { ...at(merchant), body: { colour: '#0b57a4' } })
  const all = async (merchant: string) => {
    const replies = [
      await owner.GET('/merchants/{merchant}', of(merchant)),
      await owner.GET('/merchants/{merchant}/wallets', of(merchant)),
      await owner.GET('/merchants/{merchant}/keys', of(merchant)),
      await change(merchant, url),
      await brand(merchant),
      await rotate(merchant),
    ]
    return replies.map(({ response }) => response.status)
  }
  expect(await all(public_key)).toEqual([200, 200, 200, 200, 200, 200])
  expect(await all(DEMO)).toEqual([404, 404, 404, 404, 404, 404])
  const enable = [{ provider_code: 'mtn_ug', transaction_type: 'PAYOUT' }]
  expect((await change(other, { enable })).error).toMatchObject({ code: 403 })
  expect((await change(other, { name: 'Another' })).error).toMatchObject({ code: 403 })
  const rsa = await owner.POST('/rsa-keys', { params: { header: key() }, body: { reason } })
  expect(rsa.error).toMatchObject({ code: 403 })
  expect((await owner.GET('/merchants')).error).toMatchObject({ code: 404 })
})
