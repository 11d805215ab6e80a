import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { IMAGES } from '../packaging/images/table.ts'

// Node opens a debugger on SIGUSR1; whoever connects to it reads every key from memory.

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

async function startsOfServer(): Promise<ReadonlyMap<string, string>> {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  const starts = new Map<string, string>()
  for (const [name, script] of Object.entries(scripts)) if (/cli\.ts serve/.test(script)) starts.set(name, script)
  for (const name of await readdir(join(root, 'server/deploy/systemd')))
    for (const [line] of (await read(`server/deploy/systemd/${name}`)).matchAll(/^ExecStart=.*/gm))
      starts.set(name, line)
  for (const { name, nodeOptions, program } of IMAGES.filter(({ command }) => command.includes('serve')))
    starts.set(`image ${name}`, ` ${nodeOptions.join(' ')} ${program}`)
  return starts
}

test('every start of the server keeps SIGUSR1 from opening a debugger', async () => {
  const starts = await startsOfServer()
  expect([...starts.keys()]).toEqual(
    expect.arrayContaining(['start', 'dev', 'malipo-api@.service', 'malipo-worker@.service', 'image gateway']),
  )
  expect([...starts].filter(([, line]) => !/ --disable-sigusr1\b.*(cli\.ts|malipo\.cjs)/.test(line))).toEqual([])
})
