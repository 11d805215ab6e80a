#!/usr/bin/env node
import { basename, resolve } from 'node:path'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { kindFrom, PackageFault } from '../packaged-kind.ts'
import { BundleFault, bundleOf, sha256Of } from './bundle.ts'

const USAGE = `Usage:
  malipo-rail test <rail.ts> <counterparts.ts>   hold the rail against the kit's rules
  malipo-rail bundle <rail.ts> --out <rail.mjs>  make the one file that the gateway loads, and print its SHA-256

Exit codes: 0 done, 1 failed, 2 used wrongly.`

const RIGHTS = `It runs with all rights of the gateway: it can read every secret and move every wallet. Read it, or know who wrote
it, before you set this. The hash says only that the file is the one that you chose.`

async function bundle(rail: string, out: string): Promise<void> {
  const bytes = await bundleOf(rail)
  const { name, title, types } = await kindFrom(bytes, basename(out))
  writeFileSync(out, bytes)
  console.log(`${title}: the kind ${name}, for ${types.join(' and ')}.\n`)
  console.log(`MALIPO_RAIL_PACKAGES=${resolve(out)}#sha256=${sha256Of(bytes)}\n\n${RIGHTS}`)
}

async function test(rail: string, counterparts: string): Promise<void> {
  const { holdRail } = await import('./hold.ts')
  const { lines, isKept } = await holdRail(rail, counterparts)
  console.log(lines.join('\n'))
  if (!isKept) process.exitCode = 1
}

function usedWrongly(): void {
  console.error(USAGE)
  process.exitCode = 2
}

async function run(args: readonly string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: 'string' }, help: { type: 'boolean' } },
  })
  const [command, rail, counterparts] = positionals
  if (values.help) return console.log(USAGE)
  if (command === 'bundle' && rail !== undefined && values.out !== undefined) return bundle(rail, values.out)
  if (command === 'test' && rail !== undefined && counterparts !== undefined) return test(rail, counterparts)
  usedWrongly()
}

await run(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof TypeError && 'code' in error) return usedWrongly()
  const isKnown = error instanceof BundleFault || error instanceof PackageFault
  const prefix = error instanceof PackageFault ? 'The bundle ' : ''
  console.error(isKnown ? `malipo-rail: ${prefix}${error.message}` : error)
  process.exitCode = 1
})
