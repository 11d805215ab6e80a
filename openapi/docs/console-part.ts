import { readFileSync } from 'node:fs'
import ts from 'typescript'
import type { OpenApiDocument } from '../reading/document.ts'
import { consoleModel } from './console-model.ts'

/** In the order of their imports: the docs are one file, so the modules become one script. */
const MODULES = ['element', 'request', 'exchange', 'field', 'console'] as const
const read = (name: string): string => readFileSync(new URL(`console/${name}`, import.meta.url), 'utf8')

/** The console as it stands at the end of the one file: style, markup, what it knows, script. */
export const consolePart = (document: OpenApiDocument): string =>
  [
    `<style>\n${read('console.css')}</style>`,
    consoleMarkup(document),
    `<script>${inScript(consoleScript())}</script>`,
  ].join('\n')

/** Its button and dialog, and what it knows. */
export const consoleMarkup = (document: OpenApiDocument): string =>
  [
    read('console.html'),
    `<script type="application/json" id="try-model">${inScript(JSON.stringify(consoleModel(document)))}</script>`,
  ].join('\n')

/** `<` inside a JSON text or a string of JavaScript, written so that no browser sees the end of the script in it. */
const inScript = (text: string): string => text.replaceAll(/<(?=\/script|!--)/gi, '\\u003c')

/** Its program. */
export function consoleScript(): string {
  const modules = MODULES.map(
    (name) =>
      ts.transpileModule(read(`${name}.ts`), {
        compilerOptions: {
          target: ts.ScriptTarget.ES2022,
          module: ts.ModuleKind.ESNext,
          verbatimModuleSyntax: true,
          removeComments: true,
        },
      }).outputText,
  )
  const joined = modules
    .join('')
    .replaceAll(/^import .*;\n/gm, '')
    .replaceAll(/^export (?=function|const|async)/gm, '')
    .replaceAll(/^export \{\};\n/gm, '')
  if (/^(import|export) /m.test(joined))
    throw new Error('a module of the console has an import or export that cannot be joined')
  return `(() => {\n'use strict';\n${joined}})();`
}
