import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { environmentOf, exampleEnvironment, HAPROXY_FILE, parseEnvironment, withSafeLock } from './node-files.ts'

test('a node has the environment of the example, with a name and addresses of its own', async () => {
  const example = await exampleEnvironment()
  const node = environmentOf(example, { name: 'node-3', address: '10.0.0.13' })
  expect(node).toEqual({
    ...example,
    PATRONI_NAME: 'node-3',
    PATRONI_RESTAPI_CONNECT_ADDRESS: '10.0.0.13:8008',
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: '10.0.0.13:5432',
  })
  expect(environmentOf(example, { name: 'node-1', address: '10.0.0.11' })).toEqual(example)
})

test("a Patroni that overwrites another's lock gets an older etcd API that compares", () => {
  const environment = { PATRONI_NAME: 'node-1', PATRONI_ETCD3_HOSTS: '10.0.0.11:2379' }
  expect(withSafeLock(environment, 'patroni 3.0.2\n')).toEqual({
    PATRONI_NAME: 'node-1',
    PATRONI_ETCD_HOSTS: '10.0.0.11:2379',
  })
  for (const version of ['3.0.3', '3.1.0', '4.0.0']) expect(withSafeLock(environment, version)).toBe(environment)
})

test('a value may contain an equals sign, and comments are skipped', () => {
  expect(parseEnvironment('# A=0\nA=1\nB=x=y\n\n')).toEqual({ A: '1', B: 'x=y' })
})

test('the HAProxy example uses the environment of the drill', async () => {
  const text = await readFile(HAPROXY_FILE, 'utf8')
  for (const name of ['DATABASE_BIND', 'DATABASE_1', 'PATRONI_1', 'DATABASE_3', 'PATRONI_3'])
    expect(text).toContain(`"\${${name}}"`)
})
