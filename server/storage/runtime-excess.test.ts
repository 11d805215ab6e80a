import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseUrl } from '../verification/testing/database.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { asSuperuser } from '../verification/testing/superuser.ts'
import { twoRoles } from '../verification/testing/two-roles.ts'
import { connectionTo } from './database-hosts.ts'
import { EXCESS_RIGHTS, grantRuntimeRights, ownerOf } from './runtime-rights.ts'

// Rights that no grant to the runtime role shows: rights of PUBLIC, rights of another role, and ownership.

const { owner, runtime } = await twoRoles()
const connected = async (connection: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client(connection)
  await client.connect()
  await forFile(Promise.resolve({ end: () => client.end() }))
  return client
}
const superuser = await asSuperuser(owner)
const [asOwner, asRuntime, admin] = [await connected(owner), await connected(runtime), await connected(superuser)]
const excess = async (): Promise<readonly string[]> =>
  (await asRuntime.query<Record<string, string>>(EXCESS_RIGHTS)).rows.flatMap((row) => Object.values(row))

test('revokes what PUBLIC was granted on a table of ours', async () => {
  await asOwner.query('grant update, delete on transfers to public')
  expect(await excess()).toEqual(['transfers may be changed by the role malipo_runtime'])
  expect(await grantRuntimeRights(asOwner, runtime.user)).toEqual(['revoke all on table transfers from public'])
  expect(await excess()).toEqual([])
})

test('finds rights that it would have as another role', async () => {
  const other = `other_${randomUUID().slice(0, 8)}`
  await admin.query(`create role ${other}; grant ${other} to ${runtime.user} with inherit false`)
  try {
    await admin.query(`grant delete on entries to ${other}; grant create on database ${owner.database} to ${other};
      grant set on parameter session_replication_role to ${other}`)
    expect(await excess()).toEqual([
      'entries may be changed by the role malipo_runtime',
      'the role malipo_runtime may make schemas',
      'the role malipo_runtime may keep triggers from being called (session_replication_role)',
    ])
  } finally {
    await admin.query(`drop owned by ${other}; drop role ${other}`)
  }
  expect(await excess()).toEqual([])
})

test('refuses a runtime role that owns a table or may write every table', async () => {
  const ofSuperuser = connectionTo(databaseUrl(superuser))
  expect(await ownerOf({ connection: runtime, owner: ofSuperuser })).toMatchObject({ runtimeRole: runtime.user })
  const role = `role_${randomUUID().slice(0, 8)}`
  const refused = expect.objectContaining({ name: 'UnboundedRuntimeRole' })
  const ownerFor = () => ownerOf({ connection: { ...runtime, user: role, password: 'w' }, owner: ofSuperuser })
  await admin.query(`create role ${role} login password 'w'`)
  try {
    // The situation where the servers have run the migrations so far, and a separate owner is configured now.
    await admin.query(`alter table entries owner to ${role}`)
    await expect(ownerFor()).rejects.toThrow(/ owns the table entries \(.*: reassign owned by role_\w+ to malipo\)/)
    await admin.query(`alter table entries owner to ${owner.user}; grant pg_write_all_data to ${role}`)
    await expect(ownerFor()).rejects.toThrow('is a member of pg_write_all_data')
    await expect(ownerFor()).rejects.toEqual(refused)
  } finally {
    await admin.query(`alter table entries owner to ${owner.user}; drop role ${role}`)
  }
})
