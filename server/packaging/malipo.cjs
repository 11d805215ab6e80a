#!/usr/bin/env node
/// <reference types="node" />
// The command of a built package, in words that any Node understands: the programs' own are newer.
'use strict'

const command = require('node:path').basename(__filename, '.cjs')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(command + ': this is Node ' + process.versions.node + ', and Node 22.19 or 24 is needed.\n')
  process.exit(1)
}
// Without a command it starts what `npm start` starts in a clone.
if (command === 'malipo' && process.argv.length === 2) process.argv.push('serve')
// Built beside this file; the repository has no such file.
const program = command === 'malipo' ? '../server/cli.js' : '../contract-tests/cli.js'
void import(program)
