import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withProgress } from '../../progress.ts'
import { ChainMismatch, verifyChained } from '../queries/archive/archived-chain.ts'
import { ArchiveDamaged, MANIFEST, readManifest, verifyFiles } from '../queries/archive/month-files.ts'
import { withDatabase } from './database.ts'
import { CliError, notFound } from './errors.ts'
import { print, printJson } from './output.ts'

interface CheckOptions {
  readonly from?: string
  readonly json?: true
}

/**
 * `archive check <month>`: checks the files against their manifest, and their transfers against the hash
 * chain.
 */
export async function check(month: string, { from, json }: CheckOptions): Promise<void> {
  const { folder, transfers } = await withDatabase(async ({ pool, config }) => {
    const folder = join(from ?? join(config.dataDir, 'archive'), month)
    if (!existsSync(join(folder, MANIFEST))) throw notFound(`malipo: there is no archived month in ${folder}.`)
    return { folder, transfers: await withProgress(`checking ${month}`, () => checkFiles(folder)) }

    async function checkFiles(at: string): Promise<number> {
      const manifest = await readManifest(at)
      await verifyFiles(at, manifest)
      return verifyChained(pool, at, manifest)
    }
  }).catch((error: unknown) => {
    if (error instanceof ArchiveDamaged || error instanceof ChainMismatch)
      throw new CliError(`malipo: ${error.message}.`)
    throw error
  })
  if (json) return printJson({ month, folder, transfers, clean: true })
  print(`${month} in ${folder} is unchanged: ${transfers} transfers agree with the hash chain.`)
}
