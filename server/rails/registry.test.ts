import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packageOf, RAIL_KINDS } from './registry.ts'

// A rail is its folder, its contract, its operator's simulator, and a line for each in a list. What else names one would
// have to be found and changed for the next.

const LISTS = [
  'server/rails/registry.ts',
  'openapi/operators/simulator/simulators.ts',
  'openapi/operators/simulator/package.json',
  // Planted faults are edits of files, and name them.
  'server/verification/planted-faults/in-unrequested.ts',
  'server/verification/planted-faults/in-wire-schedules.ts',
]

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = globSync('{server,openapi,client,contract-tests}/**/*.{ts,js,cjs,yaml,json,sql}', { cwd: root }).filter(
  (file) => !/node_modules|\/dist\/|\/testing\/|\.test\.ts$/.test(file),
)

// MTN is the example of help texts and comments.
const OWN = RAIL_KINDS.map(({ name }) => name).filter((name) => !packageOf(name))
test.each(OWN.slice(1))('%s is named in its own places and in lists only', (name) => {
  const own = ['server/rails', 'openapi/operators', 'openapi/operators/simulator'].map((folder) => `${folder}/${name}`)
  const others = files.filter((file) => !own.some((place) => file.startsWith(`${place}/`) || file === `${place}.yaml`))
  expect(others.length).toBeGreaterThan(1_000)
  // Providers are called after the company that may have a rail of its name: `airtel_ug`, Airtel Uganda.
  const company = new RegExp(`${name}(tigo\\b|[ _-](?!money|simulator)\\w+|['’]s |: \\['#)`, 'g')
  const naming = others.filter((file) =>
    readFileSync(`${root}/${file}`, 'utf8').toLowerCase().replaceAll(company, '').includes(name),
  )
  expect(naming.filter((file) => !LISTS.includes(file))).toEqual([])
})
