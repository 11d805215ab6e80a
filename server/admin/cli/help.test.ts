import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { folder, malipoAmongOthers } from './testing/command-line.ts'
import { groups } from './testing/usage.ts'

test('--version prints the version of package.json', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  expect(await malipoAmongOthers(['--version'], {})).toMatchObject({ code: 0, out: `${version}\n` })
})

const names = (await groups()).flatMap(({ name, commands }) => [
  name,
  ...commands.map((command) => `${name} ${command}`),
])

describe('help', () => {
  test.each(names)('of %s has a description and an example', async (command) => {
    const { code, out } = await malipoAmongOthers([...command.split(' '), '--help'], {})
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^Usage: npx --no -- malipo ${command}`))
    expect(out.split('\n')[2]).toMatch(/^[a-z].{10,}/)
    expect(out).toMatch(/\nExample:\n {2}\$ .*npx --no -- malipo /)
  })

  test('of the root names every command and the exit codes', async () => {
    const { code, out } = await malipoAmongOthers(['--help'], {})
    expect(code).toBe(0)
    for (const name of ['serve', 'migrate', 'merchant', 'provider', 'rate', 'transaction', 'callback'])
      expect(out).toContain(`\n  ${name} `)
    expect(out).toContain('Exit codes: 0 done, 1 failed, 2 used wrongly, 3 not found, 4 waits for approval.')
  })

  test.each([
    [['merchnt', 'list'], /Did you mean merchant\?/],
    [['merchant', 'lst'], /Did you mean list\?/],
    [['transaction', 'list', '--staus', 'FAILED'], /Did you mean --status\?/],
    [['transaction', 'show'], /missing required argument/],
    [['transaction', 'list', '--limit', '1001'], /from 1 to 1000/],
    [['transaction', 'list', '--since', 'yesterday'], /like 90s/],
    [['serve', '--role', 'chef'], /all, api, worker/],
    [['merchant', 'set', '1', '--enable', 'mtn_ug'], /like mtn_ug:COLLECTION/],
    [['merchant', 'create', ' '], /1 to 100/],
    [['merchant'], /Usage/],
    [['rate', 'set', 'USD', 'UGX', '-1'], /unknown option|decimal number/],
    [['rate', 'set', 'US', 'UGX', '1'], /three letters/],
    [['provider', 'set', 'mtn_ug', '--type', 'COLLECTION', '--charge', '101'], /from 0 to 100/],
    [['transaction', 'resolve', 'ORDER-0001'], /either --completed or --failed/],
    [['serve', '--role', 'api'], /^malipo: --role api needs DATABASE_URL: .*\nSet DATABASE_URL .*, or unset --role/],
    [['serve', '--role', 'worker'], /^malipo: --role worker needs DATABASE_URL/],
    [['wallet', 'deposit', '1', 'UGX', '10.5'], /at most 0 decimals/],
    [['wallet', 'deposit', '1', 'UGX', '-5'], /unknown option|not an amount/],
    [['wallet', 'deposit', '1', 'UGX', '5', '--reason', 'no'], /3 to 500 readable characters/],
    [['wallet', 'deposit', '1', 'UGX', '5', '--reference', 'a\nb'], /readable characters/],
    [['wallet', 'transfer', '1', 'UGX', '5'], /--from/],
    [['wallet', 'transfer', '1', 'UGX', '5', '--from', 'bank', '--to', 'payout'], /collection or payout/],
    [['transaction', 'list', '--older-than', '1h'], /goes with --stuck/],
    [['transaction', 'list', '--stuck', '--status', 'FAILED'], /--stuck goes with/],
    [['callback', 'resend'], /say which/],
    [['callback', 'resend', '1', '--since', '1h'], /say which/],
    [['callback', 'resend', '1', '--status', 'STOPPED'], /go with --since/],
    [['callback', 'resend', '1', '--merchant', '1'], /goes with/],
    [['keys', 'rotate', '1'], /say which with --kind/],
    [['keys', 'rotate'], /either whose key or --rsa/],
    [['keys', 'rotate', '--rsa', '--kind', 'secret_key'], /goes without/],
    [['keys', 'rotate', '1', '--kind', 'password'], /one of secret_key/],
    [['keys', 'rotate', '1', '--kind', 'secret_key', '--keep-old', '91d'], /at most 90d/],
    [['keys', 'list'], /either whose keys or --rsa/],
    [['keys', 'withdraw'], /required option '--rsa <id>'/],
    [['keys', 'withdraw', '--rsa', 'the old one'], /16 hexadecimal digits/],
  ] as const)('wrong use ends with 2 and a hint: %j', async (args, hint) => {
    const { code, out, err } = await malipoAmongOthers(args, folder('never'))
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(hint)
    expect(err).not.toMatch(/\n {4}at /)
  })
})
