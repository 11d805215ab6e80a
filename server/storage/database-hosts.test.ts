import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { ConfigError } from '../setting-values.ts'
import { databaseHosts, DatabaseHosts } from './database-hosts.ts'

const hosts = (url: string) => databaseHosts(url).map(({ place, connectionString }) => [place, connectionString])

test('an address with one host stays as it is', () => {
  for (const url of [
    'postgres://amina:pw@db.internal/shop',
    'postgresql://amina@localhost:6000/shop?host=%2Ftmp%2Fsocket',
    'postgres://[2001:db8::1]:5432/shop?target_session_attrs=read-write',
  ])
    expect(databaseHosts(url).map(({ connectionString }) => connectionString)).toEqual([url])
  expect(hosts('postgres://amina@localhost:6000/shop?host=%2Ftmp%2Fsocket')[0]?.[0]).toBe('/tmp/socket:6000')
})

test('several hosts keep their order and ports and share login, database and options', () => {
  expect(
    hosts('postgres://amina:p%40w@h1:5433,[2001:db8::1],h3:5434/shop?target_session_attrs=read-write&sslmode=require'),
  ).toEqual([
    ['h1:5433', 'postgres://amina:p%40w@/shop?sslmode=require&host=h1&port=5433'],
    ['[2001:db8::1]:5432', 'postgres://amina:p%40w@/shop?sslmode=require&host=2001%3Adb8%3A%3A1&port=5432'],
    ['h3:5434', 'postgres://amina:p%40w@/shop?sslmode=require&host=h3&port=5434'],
  ])
})

test('several hosts may be parameters as in libpq: also sockets, also one port for all', () => {
  expect(hosts('postgres:///shop?host=/run/a,h2&port=6000').map(([place]) => place)).toEqual(['/run/a:6000', 'h2:6000'])
  expect(hosts('postgres://amina@h0:6000/shop?host=h1,h2').map(([place]) => place)).toEqual(['h1:6000', 'h2:6000'])
  expect(hosts('postgres:///shop?host=h1,h2&port=1,2').map(([place]) => place)).toEqual(['h1:1', 'h2:2'])
})

test.each([
  ['postgres://amina:hunter2@h1,,h2/shop', 'DATABASE_URL must name every host between its commas'],
  [
    'postgres://amina:hunter2@/shop?host=h1,h2,h3&port=1,2',
    'DATABASE_URL must have one port, or one for each of its 3 hosts, not 2',
  ],
  [
    'postgres://amina:hunter2@h1:0,h2/shop',
    'DATABASE_URL must have ports from 1 to 65535, and special characters in the password percent-encoded',
  ],
  [
    'postgres://amina:hun,ter2/x@h1/shop',
    'DATABASE_URL must have ports from 1 to 65535, and special characters in the password percent-encoded',
  ],
  [
    'postgres://amina:hunter2@h1/shop?target_session_attrs=standby',
    'DATABASE_URL must have target_session_attrs=read-write or none, not standby: Malipo reads and writes one database',
  ],
  [
    'postgres://amina:hunter2@h1/shop?target_session_attrs=hunter2',
    'DATABASE_URL must have target_session_attrs=read-write or none: Malipo reads and writes one database',
  ],
])('refuses %s without repeating the password', (url, message) => {
  expect(() => readConfig({ DATABASE_URL: url })).toThrow(new ConfigError(message))
})

const three = () => {
  const [one, two, three] = databaseHosts('postgres://h1,h2,h3/shop')
  if (!one || !two || !three) throw new Error('three hosts')
  return { one, two, three, hosts: new DatabaseHosts([one, two, three]) }
}

test('tries the host that took writes last first, then the others in their order', () => {
  const { one, two, three: last, hosts: tried } = three()
  tried.found(last)
  const order = [one, two].map((next) => {
    tried.failed(tried.next())
    return tried.next() === next
  })
  expect(order).toEqual([true, true])
})

test('a host that fails becomes the last; a late failure changes nothing', () => {
  const { one, two, hosts: tried } = three()
  tried.failed(one)
  tried.failed(one)
  expect(tried.next()).toBe(two)
})

test('notifies holders of connections once when another host takes writes', () => {
  const { one, two, hosts: tried } = three()
  const received: string[] = []
  const end = tried.onMoved(({ place }) => received.push(place))
  for (const found of [one, one, two, two]) tried.found(found)
  end()
  tried.found(one)
  expect(received).toEqual(['h1:5432', 'h2:5432'])
})
