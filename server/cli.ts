#!/usr/bin/env node
// The command line. It stays small, and loads only the group of commands that is asked for: `serve` is to be ready
// within a second.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Beside the packages rather than in the temporary folder, where another user could put compiled code for us to run.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/malipo', import.meta.url)))

const { runProgram } = await import('./cli/program.ts')
await runProgram(process.argv)
