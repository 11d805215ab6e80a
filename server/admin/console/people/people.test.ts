import { expect, test } from 'vitest'
import { present } from '../../../domain/present.ts'
import { headingOf, PASSWORD, signInTest } from '../../sign-in/testing/sign-in-test.ts'

// The people of a merchant, and those of staff, by their pages without script.

const { gateway, clock, baseUrl, merchantsUrl, person, browser, setUp } = await signInTest()
const { rows: demo } = await gateway.pool.query<{ id: bigint }>(
  `select id from merchants where public_key = 'pub_sandbox_demo'`,
)
const merchantId = present(demo[0], 'the merchant').id
const { browser: owner } = await setUp(await person('Amani', 'owner', merchantId))
const { browser: admin } = await setUp(await person('Zuri', 'admin'))

test('an owner invites somebody, whose link is shown once', async () => {
  await owner.get('/people/new')
  const form = { name: 'Baraka', email: 'baraka@shop.example', role: 'finance', reason: 'New in finance' }
  const faulty = await owner.post('/people/new', { ...form, email: 'nobody' })
  expect(faulty.body).toContain('<a href="#email">email must be an e-mail address</a>')
  expect(faulty.body).toContain('value="Baraka"')
  const { body, headers } = await owner.post('/people/new', form)
  expect(body).toMatch(new RegExp(`<code class="copyable">${merchantsUrl}/link/[\\w-]{43}</code>`))
  expect(headers.get('cache-control')).toBe('no-store')
  const list = (await owner.get('/people')).body
  expect(list).toContain('baraka@shop.example')
  expect(list).not.toMatch(/Zuri|\/link\//)
})

test('an owner ends an access, with the reason in the audit log that staff read', async () => {
  const { id, email } = await person('Chiku', 'developer', merchantId)
  expect((await owner.get(`/people/${id}/end`)).body).toContain('All logins and sessions of Chiku end at once')
  const reason = 'Left the company'
  expect((await owner.post(`/people/${id}/end`, { reason })).location).toBe('/people')
  expect((await owner.get('/people')).body).toContain('Chiku has no access any more.')
  const { body } = await admin.get(`/audit?subject=${email}`)
  expect(body).toContain(reason)
  const entry = await admin.get(present(/href="(\/audit\/\d+)"/.exec(body)?.[1], 'the entry'))
  expect(entry.body).toMatch(/access<\/th><td[^>]*>yes<\/td><td[^>]*>ended/)
  // Days are those of the viewer, as the times of the entries are.
  admin.cookies.set('malipo_zone', 'Pacific%2FPago_Pago')
  const day = (zone: string) => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(clock.now())
  const entriesOf = async (zone: string) =>
    (await admin.get(`/audit?subject=${email}&since=${day(zone)}&until=${day(zone)}`)).body
  expect(await entriesOf('Pacific/Pago_Pago')).toContain(reason)
  expect(await entriesOf('UTC')).not.toContain(reason)
  admin.cookies.delete('malipo_zone')
})

test('a reset ends the old password and app before its link is opened', async () => {
  const faraja = await person('Faraja')
  const stolen = await setUp(faraja)
  await admin.get(`/people/${faraja.id}/reset`)
  const { body } = await admin.post(`/people/${faraja.id}/reset`, { reason: 'A stolen laptop' })
  const link = present(new RegExp(`${baseUrl}(/link/[\\w-]{43})`).exec(body)?.[1], 'the link')
  clock.advance(60_000)
  const thief = browser()
  await thief.get('/sign-in')
  const form = { email: faraja.email, password: PASSWORD, code: stolen.code() }
  expect((await thief.post('/sign-in', form)).status).toBe(401)
  expect((await browser().get(link)).status).toBe(200)
})

test('people of others, and nobody, are not found', async () => {
  const { id } = await person('Dalila', 'support')
  expect(headingOf(await owner.get(`/people/${id}`))).toBe('Not found')
  expect((await owner.post(`/people/${id}/end`, { reason: 'Not mine' })).status).toBe(404)
  expect((await owner.get('/audit')).status).toBe(404)
  expect((await admin.get('/audit/verification')).body).toContain('As it was written')
  expect(headingOf(await admin.get(`/people?merchant=${merchantId}`))).toBe('People of Duka la Mfano')
})

test('the first page shows figures, to a merchant its own', async () => {
  for (const opened of [owner, admin]) expect(headingOf(await opened.get('/'))).toBe('Today')
  expect((await owner.get('/')).body).not.toContain('/doctor')
  expect((await admin.get('/doctor')).body).toContain('Every rule holds')
})
