import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asTyped, calledAs } from './called-as.ts'

test.each([
  ['/home/ada/malipo/server/cli.ts', 'npx --no -- malipo'],
  ['/home/ada/shop/node_modules/.bin/malipo', 'npx --no -- malipo'],
  ['/home/ada/.npm/_npx/3f0d6ac1/node_modules/.bin/malipo', '/home/ada/.npm/_npx/3f0d6ac1/node_modules/.bin/malipo'],
  ['/usr/local/bin/malipo', 'malipo'],
  ['', 'npx --no -- malipo'],
])('a program started as %j is called as %j', (script, called) => {
  expect(calledAs(script)).toBe(called)
})

test('rewrites the commands in a text, and no other words', () => {
  expect(asTyped('ended by malipo reconcile end, in /var/lib/malipo, says malipo: no')).toBe(
    'ended by npx --no -- malipo reconcile end, in /var/lib/malipo, says malipo: no',
  )
})

test('no text of the command line names a command that cannot be typed', () => {
  const groups = /name: '(\w+)', ?\n? *description|^ {4}name: '(\w+)',$/gm
  const program = readFileSync(join(import.meta.dirname, 'program.ts'), 'utf8')
  const names = [...program.matchAll(groups)].map(([, one, other]) => one ?? other)
  expect(names).toContain('rail')
  const untyped = new RegExp(`(?:^|[^-/] |[\`'"$n])malipo (?:${names.join('|')}) `)
  const sources = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const lines = sources.flatMap((name) =>
    readFileSync(join(import.meta.dirname, name), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/?\*|\/\/)/.test(line) && untyped.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  )
  expect(lines).toEqual([])
})
