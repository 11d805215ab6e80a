import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { SETTINGS } from './settings.ts'
import { runCli } from './verification/testing/served-gateway.ts'

const settings = Object.values(SETTINGS)
const names = settings.map(({ name }) => name)

test('malipo settings names exactly the settings, with their meanings and defaults', async () => {
  const help = await runCli(['settings'], tmpdir())
  expect([...help.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name)).toEqual(names)
  const words = help.replaceAll(/\s+/g, ' ')
  for (const { name, meaning, default: value } of settings)
    expect(words).toContain(`${name} ${meaning} (default: ${value})`.replaceAll('`', ''))
})
