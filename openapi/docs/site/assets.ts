import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** A file named after its content's hash: it never changes and may be cached for ever. */
export interface Asset {
  /** `site-1a2b3c4d5e.css` */
  readonly name: string
  readonly content: string
}

/** @param name `site.css` */
export function asset(name: string, content: string): Asset {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const cut = name.lastIndexOf('.')
  return { name: `${name.slice(0, cut)}-${digest}${name.slice(cut)}`, content }
}

/** The address at which it is served. */
export const assetAddress = ({ name }: Asset): string => `/docs/assets/${name}`

const fileAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Bundles and minifies a script for the browser. */
export function browserScript(name: string, define: Readonly<Record<string, string>> = {}): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileAt(`browser/${name}.ts`)],
    bundle: true,
    minify: true,
    write: false,
    format: name === 'search' ? 'esm' : 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    define: { ...define },
    // Loaded later, by its address.
    external: ['/docs/assets/*'],
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** A style sheet without comments and indentation. */
export function style(path: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(path, import.meta.url))],
    minify: true,
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? readFileSync(fileAt(path), 'utf8')
}
