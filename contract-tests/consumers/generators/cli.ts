#!/usr/bin/env node
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, CommanderError } from 'commander'
import { note, print, quietOnBrokenPipe } from '../../../server/admin/cli/output.ts'
import { startOwnGateway } from '../../harness/own-gateway.ts'
import { startScratchDatabases } from '../../../server/verification/testing/scratch-databases.ts'
import { cacheFolder } from './generator.ts'
import { GENERATORS } from './generators.ts'
import { hasFailed, matrixText, runMatrix, type Row } from './matrix.ts'

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url))

const program = new Command('npm run generators --')
  .description(
    'Client generators of several languages generate from the contract; each client is compiled and calls our gateway.',
  )
  .option('--only <names>', `names of generators, with commas: ${GENERATORS.map(({ name }) => name).join(', ')}`)
  .option('--report-dir <folder>', 'where generators.txt and generators.json are written', join(DIST, 'contract-tests'))
  .addHelpText(
    'after',
    '\nGenerators are installed once, with pinned versions, into the cache folder of the user. What the machine lacks is reported as missing.\nExit codes: 0 all installed ones work, 1 some do not, 2 wrong usage.',
  )
  .exitOverride()

async function run(): Promise<number> {
  const { only, reportDir } = program.parse().opts<{ readonly only?: string; readonly reportDir: string }>()
  const names = only?.split(',').map((name) => name.trim())
  const unknown = names?.filter((name) => !GENERATORS.some((generator) => generator.name === name)) ?? []
  if (unknown.length > 0) {
    note(`no such generator: ${unknown.join(', ')}`)
    return 2
  }
  const rows = await onOwnGateway((url) =>
    runMatrix({
      generators: GENERATORS.filter(({ name }) => names?.includes(name) ?? true),
      url,
      cache: cacheFolder(process.env),
      install: true,
      workFolder: join(DIST, 'generators'),
      onRow: ({ generator, missing }) => note(`${generator}: ${missing ?? 'done'}`),
    }),
  )
  const text = matrixText(rows)
  await mkdir(reportDir, { recursive: true })
  await writeFile(join(reportDir, 'generators.txt'), `${text}\n`)
  await writeFile(join(reportDir, 'generators.json'), `${JSON.stringify(rows, undefined, 2)}\n`)
  print(text)
  return rows.some(hasFailed) ? 1 : 0
}

async function onOwnGateway(use: (url: string) => Promise<Row[]>): Promise<Row[]> {
  const databases = await startScratchDatabases()
  try {
    const gateway = await startOwnGateway({ connection: await databases.create() })
    try {
      return await use(gateway.url)
    } finally {
      await gateway.close()
    }
  } finally {
    await databases.close()
  }
}

quietOnBrokenPipe()
try {
  process.exitCode = await run()
} catch (error) {
  // Commander has already printed the message. Help that was requested is a success.
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? 0 : 2
}
