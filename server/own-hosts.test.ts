import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { ownHosts } from './own-hosts.ts'

const HERE = '127.0.0.1'
const isOwn = (env: Readonly<Record<string, string>>, host: string | undefined, localAddress = HERE) =>
  ownHosts(readConfig(env))(host, localAddress)

test.each([
  'localhost',
  'LOCALHOST:8080',
  'localhost.:8080',
  'shop.localhost',
  '127.0.0.1',
  '127.0.0.1:65535',
  '127.1.2.3',
  '[::1]:8080',
  undefined,
])('%s is this machine', (host) => expect(isOwn({}, host)).toBe(true))

test.each([
  'evil.example',
  'evil.example:8080',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'notlocalhost',
  '10.0.0.7',
  '[2001:db8::1]',
  '0.0.0.0',
  '',
  ' ',
  'localhost:',
  'localhost:x',
  'evil.example#localhost',
  'localhost@evil.example',
  '[localhost]',
  'localhost, evil.example',
])('%s is not', (host) => expect(isOwn({}, host)).toBe(false))

test('base URLs, HOST, MALIPO_METRICS_HOST and MALIPO_ALLOWED_HOSTS are own hosts', () => {
  const env = {
    PUBLIC_BASE_URL: 'https://Pay.example:8443',
    PAYMENT_PAGE_BASE_URL: 'https://checkout.example',
    HOST: '10.0.0.5',
    MALIPO_METRICS_HOST: 'metrics.internal',
    MALIPO_ALLOWED_HOSTS: 'malipo, Malipo-Worker',
  }
  for (const host of [
    'pay.example',
    'PAY.example:1',
    'checkout.example',
    '10.0.0.5:8080',
    'metrics.internal:9464',
    'malipo:8080',
    'malipo-worker',
  ])
    expect(isOwn(env, host), host).toBe(true)
  for (const host of ['example', 'evil.pay.example', '10.0.0.6']) expect(isOwn(env, host), host).toBe(false)
})

test('on all addresses the one a request reached is an own host; 0.0.0.0 is not', () => {
  const env = { HOST: '0.0.0.0', MALIPO_METRICS_HOST: '::' }
  expect(isOwn(env, '192.168.1.5:8080', '::ffff:192.168.1.5')).toBe(true)
  expect(isOwn(env, '[fd00::5]:8080', 'fd00::5')).toBe(true)
  expect(isOwn(env, '192.168.1.6:8080', '192.168.1.5')).toBe(false)
  for (const host of ['0.0.0.0:8080', '[::]:8080']) expect(isOwn(env, host), host).toBe(false)
})
