import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import type { OpenApiDocument } from '../reading/document.ts'
import { consoleModel, KEYS_IN_BROWSERS } from './console-model.ts'

const read = (name: string): string => readFileSync(new URL(`console/${name}`, import.meta.url), 'utf8')

/** The console at the end of the single HTML file: style, markup, model, script. */
export const consolePart = (document: OpenApiDocument): string =>
  [
    `<style>\n${read('console.css')}</style>`,
    consoleMarkup(document),
    `<script>${inScript(consoleScript())}</script>`,
  ].join('\n')

/** Its button and dialog, and its model. */
export const consoleMarkup = (document: OpenApiDocument): string =>
  [
    read('console.html').replace('<!-- keys -->', KEYS_IN_BROWSERS),
    `<script type="application/json" id="try-model">${inScript(JSON.stringify(consoleModel(document)))}</script>`,
  ].join('\n')

/** Escapes `<` inside a JSON text or a JavaScript string, so that no browser sees the end of the script there. */
const inScript = (text: string): string => text.replaceAll(/<(?=\/script|!--)/gi, '\\u003c')

/** Its script: the docs are one file, so the modules are bundled. */
export function consoleScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('console/console.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
