import { createHash } from 'node:crypto'
import { isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import { build } from 'esbuild'

/** Why a file cannot be bundled, for its author. */
export class BundleFault extends Error {
  override readonly name = 'BundleFault'
}

/**
 * One ES module without imports but Node's own: what the gateway loads. The same sources give the same bytes.
 * @param entry a file of TypeScript or JavaScript
 * @throws BundleFault
 */
export async function bundleOf(entry: string): Promise<Uint8Array> {
  const path = resolve(entry)
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    absWorkingDir: dirname(path),
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    logLevel: 'silent',
  }).catch((error: unknown) => {
    throw new BundleFault(error instanceof Error ? error.message : String(error))
  })
  const outside = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .find((each) => each.external && !isBuiltin(each.path))
  if (outside) throw new BundleFault(`${outside.path} would be imported when the gateway starts`)
  const [file] = outputFiles
  if (!file) throw new BundleFault(`${entry} gives no file`)
  return file.contents
}

/** What MALIPO_RAIL_PACKAGES has after the path. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
