import { expect, test } from 'vitest'
import { PAYOUT_TEMPLATE } from '../../../domain/payout-file.ts'
import { uniqueReference } from '../../../verification/testing/requests.ts'
import { signInTest } from '../../sign-in/testing/sign-in-test.ts'

// People of a merchant send a file, with a browser without script.

const { clock, gateway, person, setUp, browser } = await signInTest()
const { browser: owner } = await setUp(await person('Owen', 'owner', 1n), browser(undefined, 'merchants'))
const { browser: reader } = await setUp(await person('Rita', 'read-only', 1n), browser(undefined, 'merchants'))
const { browser: support } = await setUp(await person('Sam', 'support'))

const TITLES = 'merchant_reference,account_number,amount,currency,provider_code,customer_name,description'
const fileOf = (...accounts: readonly string[]) =>
  [TITLES, ...accounts.map((one) => `${uniqueReference()},${one},20000,UGX,mtn_ug,<b>Amina</b>,Salary of March`)].join(
    '\n',
  )
const asForm = (file: string) => ({ content: Buffer.from(file).toString('base64') })
const unescaped = (text: string) =>
  text.replaceAll(/&#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)))
const valueOf = (body: string, name: string) =>
  unescaped(new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '')

test('shows what would happen, sends the file once, and tries what failed again', async () => {
  expect((await owner.get('/payout-batches')).body).toContain('No batch yet')
  expect((await owner.get('/payout-batches/template.csv')).body).toBe(PAYOUT_TEMPLATE)
  const { body } = await owner.post('/payout-batches/new', asForm(fileOf('256772000123', '256772000004')))
  expect(body).toContain('Send 2 payouts')
  const reference = valueOf(body, 'batch_reference')
  const content = valueOf(body, 'content')
  const sent = await owner.post('/payout-batches/send', { content, batch_reference: reference })
  expect(sent.location).toBe(`/payout-batches/${reference}`)
  const again = await owner.post('/payout-batches/send', { content, batch_reference: reference })
  expect(again.body).toContain('has already been used')
  for (let round = 0; round < 4; round += 1) {
    await gateway.runDue()
    clock.advance(20_000)
  }
  expect((await owner.get(`/payout-batches/${reference}`)).body).toContain('Try 1 failed ones again')
  for (const [one, path] of [
    [reader, '/payout-batches'],
    [support, '/merchants/1/payout-batches'],
  ] as const) {
    expect((await one.get(path)).body).toContain(reference)
    expect((await one.get(`${path}/${reference}`)).body).not.toContain('failed ones again')
  }
  const retry = await owner.post(`/payout-batches/${reference}/retry`, { reason: 'The wallet is filled' })
  expect((await owner.get(retry.location ?? '')).body).toContain(`>${reference}</a>`)
})

test('shows the faulty rows, with all of them in a file', async () => {
  const { body } = await owner.post(
    '/payout-batches/new',
    asForm(fileOf('256772000123', ...Array.from({ length: 60 }, () => '2.5E+11'))),
  )
  expect(body).toContain('60 of 61 rows are faulty')
  expect(body).not.toContain('Send 61 payouts')
  expect(body.match(/was rounded by a spreadsheet/g)).toHaveLength(50)
  const [, file = ''] = /href="data:text\/csv;charset=utf-8,([^"]*)"/.exec(unescaped(body)) ?? []
  expect(decodeURIComponent(file).split('\r\n')).toHaveLength(62)
  expect((await owner.post('/payout-batches/new', {})).body).toContain('Choose a file.')
  expect((await reader.post('/payout-batches/new', asForm(fileOf('256772000123')))).body).toContain('for the role')
})
