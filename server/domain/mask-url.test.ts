import { expect, test } from 'vitest'
import { maskUrl } from './mask-url.ts'

test.each([
  ['nothing to hide', 'https://shop.example/hooks/malipo', 'https://shop.example/hooks/malipo'],
  [
    'values of a query',
    'https://shop.example:8443/hooks?shop=7&token=s3cret&empty=',
    'https://shop.example:8443/hooks?shop=***&token=***&empty=',
  ],
  ['a query that is one value', 'https://shop.example/hooks?s3cret', 'https://shop.example/hooks?***'],
  [
    'a value with the signs of a query',
    'https://shop.example/hooks?token=a=b?c',
    'https://shop.example/hooks?token=***',
  ],
  ['user name and password', 'https://shop:s3cret@shop.example/hooks', 'https://***@shop.example/hooks'],
  ['a user name with an at', 'https://me@home:s3cret@shop.example/', 'https://***@shop.example/'],
  ['an at in the path', 'https://shop.example/@me', 'https://shop.example/@me'],
  ['what follows the number sign', 'https://shop.example/hooks?a=1#s3cret', 'https://shop.example/hooks?a=***#***'],
  ['an at behind two slashes in the path', 'https://shop.example/to//me@home', 'https://shop.example/to//me@home'],
  ['a value without a name', 'https://shop.example/hooks?=s3cret', 'https://shop.example/hooks?=***'],
  ['nothing between two signs', 'https://shop.example/hooks?a=1&&b=2', 'https://shop.example/hooks?a=***&&b=***'],
  ['what follows the number sign, lines included', 'https://shop.example/#s3\ncret', 'https://shop.example/#***'],
  ['no URL', '', ''],
  ['text that is no URL', 'not a URL', 'not a URL'],
])('masks %s', (_what, url, masked) => expect(maskUrl(url)).toBe(masked))
