import { expect, test } from 'vitest'
import { adminApiTest } from './testing/admin-api-test.ts'

const { gateway, token, client, key } = await adminApiTest()
const admin = client(await token('admin'))
const REASON = { reason: 'Ticket 4711' }

const invite = (email: string, role: 'finance' | 'owner', headers = key(), merchant?: string) =>
  admin.POST('/people', {
    params: { header: headers },
    body: { email, name: 'Baraka', role, ...REASON, ...(merchant !== undefined && { merchant }) },
  })
const listed = async (merchant?: string) =>
  (await admin.GET('/people', { params: { query: merchant === undefined ? {} : { merchant } } })).data?.data.items ?? []
const withPerson = (person: string) => ({ params: { path: { person }, header: key() } })

test('an invitation shows its secrets once, and its digests are stored', async () => {
  const headers = key()
  const first = (await invite('baraka@malipo.example', 'finance', headers)).data?.data as Record<string, string>
  expect(first).toMatchObject({ email: 'baraka@malipo.example', role: 'finance' })
  expect(first['sign_in_link']).toMatch(/^http:\/\/localhost:\d+\/link\/[\w-]{43}$/)
  expect(first['login_code']).toMatch(/^[0-9a-f]{64}$/)
  expect((await invite('baraka@malipo.example', 'finance', headers)).error?.message).toMatch(/secrets are shown once/)
  const { rows } = await gateway.pool.query<{ text: string }>('select r::text as text from admin_requests r')
  expect(rows.filter(({ text }) => text.includes(first['login_code']!))).toEqual([])
  expect((await invite('baraka@malipo.example', 'finance')).error).toMatchObject({
    code: 409,
    message: 'baraka@malipo.example has access already',
  })
})

test('another role and the end of access take effect at once, with the reason', async () => {
  const { id = '' } = (await invite('chiku@malipo.example', 'finance')).data!.data as { id?: string }
  expect(
    (await admin.POST('/people/{person}/role', { ...withPerson(id), body: { role: 'support', ...REASON } })).data,
  ).toMatchObject({ data: { role: 'support' } })
  await admin.POST('/people/{person}/end', { ...withPerson(id), body: REASON })
  expect((await listed()).find((one) => one.id === id)).toMatchObject({
    role: 'support',
    ended_at: expect.any(String) as string,
  })
  const ended = await admin.POST('/people/{person}/reset', { ...withPerson(id), body: REASON })
  expect(ended.error?.message).toBe(`${id} has no access`)
  const { rows } = await gateway.pool.query(
    `select command, reason from audit_log where subject = 'chiku@malipo.example' order by id`,
  )
  expect(rows).toEqual(['invite', 'change', 'end'].map((verb) => ({ command: `people ${verb}`, ...REASON })))
})

test('people of a merchant are listed apart from staff, page by page', async () => {
  for (const name of ['one', 'two', 'three']) await invite(`${name}@shop.example`, 'owner', key(), 'pub_sandbox_demo')
  const emails = (await listed('pub_sandbox_demo')).map(({ email }) => email)
  expect(emails).toEqual(['one@shop.example', 'two@shop.example', 'three@shop.example'])
  expect((await listed()).map(({ email }) => email)).not.toContain('one@shop.example')
  const page = async (after?: string) =>
    (
      await admin.GET('/people', {
        params: { query: { merchant: 'pub_sandbox_demo', limit: 2, ...(after !== undefined && { after }) } },
      })
    ).data?.data
  const first = await page()
  expect((await page(first?.next))?.items.map(({ email }) => email)).toEqual(['three@shop.example'])
  expect((await invite('x@shop.example', 'owner')).error?.message).toMatch(/^the role owner does not exist here/)
})
