import { expect, test } from 'vitest'
import { adminApiTest } from './testing/admin-api-test.ts'

const { gateway, token, client, key } = await adminApiTest()
const { pool } = gateway
const [developer, second] = [client(await token('developer')), client(await token('developer'))]
const SECRET = 'a-password-of-nobody'
const settings = Object.entries({
  target_environment: 'sandbox',
  collection_subscription_key: SECRET,
  collection_api_user: '00000000-0000-4000-8000-000000000001',
  collection_api_key: SECRET,
}).map(([name, value]) => ({ name, value }))
const at = (rail_account: string) => ({ path: { rail_account }, header: key() })
const add = (rail_account: string, more: object = {}) =>
  developer.POST('/rail-accounts', {
    params: { header: key() },
    body: { rail_account, kind: 'mtn-momo', currency: 'UGX', base_url: 'http://127.0.0.1:9191', settings, ...more },
  })

test('adds, changes and removes a connection, and shows no secret of it', async () => {
  expect((await add('mtn-api', { settings: settings.slice(1) })).error?.message).toMatch(
    /^target_environment is missing/,
  )
  expect((await add('mtn-api', { settings: settings.slice(0, 3) })).error?.message).toMatch(/belong together/)
  expect((await add('mtn-api')).data?.data).toEqual({ rail_account: 'mtn-api' })
  const change = (name: string, value: string) =>
    developer.POST('/rail-accounts/{rail_account}', {
      params: at('mtn-api'),
      body: { settings: [{ name, value }], reason: 'MTN allows more' },
    })
  expect((await change('requests_per_second', 'many')).error?.message).toMatch(/^requests_per_second must be/)
  expect((await change('ca_file', '/dev/zero')).error?.message).toBe('ca_file is set on the command line')
  expect((await change('requests_per_second', '20')).data?.code).toBe(200)
  const { data } = await developer.GET('/rail-accounts/{rail_account}', {
    params: { path: { rail_account: 'mtn-api' } },
  })
  expect(data?.data.settings).toContainEqual({ name: 'requests_per_second', value: '20' })
  const removal = { params: at('mtn-api'), body: { reason: 'It was a test' } }
  expect((await developer.POST('/rail-accounts/{rail_account}/remove', removal)).data?.code).toBe(200)
  const { rows } = await pool.query(
    `select to_jsonb(a) from audit_log a union all select to_jsonb(r) from admin_requests r`,
  )
  expect(rows.length).toBeGreaterThan(5)
  expect(JSON.stringify([rows, data])).not.toContain(SECRET)
})

test('a covered connection waits with its secrets sealed, and a second person adds it', async () => {
  await client(await token('admin')).POST('/approval-rules', {
    params: { header: key() },
    body: { operation: 'rail-settings', reason: 'The board of today' },
  })
  const { data } = await add('mtn-waits')
  const { approval_id: approval = '' } = (data?.data ?? {}) as { readonly approval_id?: string }
  const shown = (await second.GET('/approvals/{approval}', { params: { path: { approval } } })).data?.data
  expect(shown?.changes).toContainEqual({ name: 'collection_api_key', new: 'set, not shown' })
  expect(shown?.input?.map(({ name }) => name)).toEqual(['rail_account', 'kind', 'currency', 'base_url'])
  expect(JSON.stringify(shown)).not.toContain(SECRET)
  const approve = second.POST('/approvals/{approval}/approve', {
    params: { path: { approval }, header: key() },
    body: { digest: shown?.digest ?? '', reason: 'It is ours' },
  })
  expect((await approve).data?.code).toBe(200)
  const { rows } = await pool.query('select name from rail_accounts where removed_at is null')
  expect(rows).toContainEqual({ name: 'mtn-waits' })
})
