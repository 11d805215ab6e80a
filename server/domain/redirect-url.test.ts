import { expect, test } from 'vitest'
import { checkRedirectUrl } from './redirect-url.ts'

test.each(['https://shop.example/done?order=7', 'https://localhost/'])('%s is fine in both modes', (url) => {
  for (const allowLoopback of [true, false]) expect(() => checkRedirectUrl(url, allowLoopback)).not.toThrow()
})

const LOCAL = ['http://localhost:3000/done', 'http://127.0.0.1/', 'http://127.10.200.3:8080/', 'http://[::1]:8080/']
test.each(LOCAL)('%s is fine on the developer’s own machine only', (url) => {
  expect(() => checkRedirectUrl(url, true)).not.toThrow()
  expect(() => checkRedirectUrl(url, false)).toThrow(expect.objectContaining({ code: 'invalid_url', message: 'redirect_url must be an https URL' }))
})

test.each(['http://shop.example/', 'http://localhost.shop.example/', 'http://notlocalhost/', 'http://127.0.0.1.shop.example/', 'http://x127.0.0.1/', 'http://128.0.0.1/', 'http://[::1:1]/', 'ftp://localhost/', 'javascript:alert(1)', 'shop.example', ''])('%j is refused in both modes', (url) => {
  expect(() => checkRedirectUrl(url, true)).toThrow(expect.objectContaining({ code: 'invalid_url', message: 'redirect_url must be an https URL (http only for this machine)' }))
  expect(() => checkRedirectUrl(url, false)).toThrow(expect.objectContaining({ code: 'invalid_url', message: 'redirect_url must be an https URL' }))
})

test.each(['https://anna@shop.example/', 'https://anna:secret@shop.example/', 'https://:secret@shop.example/'])('no credentials in it: %s', (url) => {
  expect(() => checkRedirectUrl(url, false)).toThrow(expect.objectContaining({ code: 'invalid_url', message: 'redirect_url must not carry a user name or password' }))
})
