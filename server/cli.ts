#!/usr/bin/env node
// The command line. It stays small, and loads only the group of commands that is asked for: `serve` is to be ready
// within a second.
import { useCompileCache } from './compile-cache.ts'

useCompileCache()

const { runProgram } = await import('./cli/program.ts')
await runProgram(process.argv)
