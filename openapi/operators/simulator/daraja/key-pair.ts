import { constants, createPrivateKey, privateDecrypt } from 'node:crypto'

/**
 * The certificate for encrypting an initiator's password, as Safaricom issues one. It is the simulator's own and the
 * same in every copy, so that a gateway's settings survive a restart; its key protects nothing.
 */
export const SIMULATOR_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDYTCCAkmgAwIBAgIUKvNUcMYm3ArOV9U9G8KV5cX8W6owDQYJKoZIhvcNAQEL
BQAwPzElMCMGA1UEAwwcbWFsaXBvLW9wZXJhdG9yLCBhIHNpbXVsYXRvcjEWMBQG
A1UECgwNTm90IFNhZmFyaWNvbTAgFw0yNjExMjIxMTE2NDZaGA8yMTI2MTAyOTEx
MTY0NlowPzElMCMGA1UEAwwcbWFsaXBvLW9wZXJhdG9yLCBhIHNpbXVsYXRvcjEW
MBQGA1UECgwNTm90IFNhZmFyaWNvbTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCC
AQoCggEBAKwLam1vazHbQOj1PYjMKWEaWEhgpI7XuelwNiwdCKvXTp9lEnjOXtIV
TSVCaZwh8PokVmhZhKWdqiUwJq6DYUYPcpw+E9lerevcsNkLoBBSDyMRpTlOCFgE
CKAq0ENaXfaAidvX/WK0ONU92dZI0sIkCGYFzo+L/VmI8AHx5krxtLJosw8s8vUI
R5lw5MPmtjtAut7OcI1a3bcFZRuBB/LAMRmuegpShtvq0OSwkSNZhPdibMnNAl0W
R5Nb/UuWUFhawl4jLe9kXW/ThF/vZSQAug9G6P60kHGxzEzL5xKBXLJZmMZ87iVK
F2a56lHW58aors0n/dxctHZAWA/3eAECAwEAAaNTMFEwHQYDVR0OBBYEFLh+Cdya
KU/YUydObIQnWUFxJ0iUMB8GA1UdIwQYMBaAFLh+CdyaKU/YUydObIQnWUFxJ0iU
MA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBADTJSoO6l0JnNJ9J
+2wMT7rVs6VSDg6SlJm9GfRGOeSXdxTOERcmmLS3y64nB3Qn3WLgcag+7fDyb7GJ
PTz7Bj9XPAAmcjFxl6lUpFJXnmbuHUIhaSNkzba0mwDanoz0119yT4wpb3tdUyh/
c8u0Kt8D7G/CeFy/v46nktGMuu8tehlRM2G6v+51MRF+9R6eo3ohSWTUkQzsftsv
H4nxlH17qGJ35SvPmfj7OHd8VPhbaEsgk8IqCYGfJ3MWVxxJKP8Jdh8WRfOyghsq
Yx0fbwtDB0Obgau2dVuyrjwbL/zBon1bbTBG1nFAoXWqCJlOIfOs/dQP8I108YC/
oHwd6Gg=
-----END CERTIFICATE-----
`

const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCsC2ptb2sx20Do
9T2IzClhGlhIYKSO17npcDYsHQir106fZRJ4zl7SFU0lQmmcIfD6JFZoWYSlnaol
MCaug2FGD3KcPhPZXq3r3LDZC6AQUg8jEaU5TghYBAigKtBDWl32gInb1/1itDjV
PdnWSNLCJAhmBc6Pi/1ZiPAB8eZK8bSyaLMPLPL1CEeZcOTD5rY7QLreznCNWt23
BWUbgQfywDEZrnoKUobb6tDksJEjWYT3YmzJzQJdFkeTW/1LllBYWsJeIy3vZF1v
04Rf72UkALoPRuj+tJBxscxMy+cSgVyyWZjGfO4lShdmuepR1ufGqK7NJ/3cXLR2
QFgP93gBAgMBAAECggEAC2WoM761TbS2HJiebnED7rxVi9nnHNVaqgW2eP6lY+jb
+wAxlJIrQuSJW0YGhALVmWSN2tTPTj9fFZ6WeWoXqBH+6C3Ol9BHWkAg8Qftnxco
jIyvMtgiAl6mCaI8cLHMVreWKlupHABPYYT66NCjMZw8eDG7SNQfwO4q5B4XwPAd
NAUqWtkysTAKiTdeCgZdwoCLrQIU2NXbLYivb4xqIhnbaF0nJw2NYkX9hp7VbI10
1WmSGVt3Yhd+sfr0/10jtMnIDeCJKYL7OHem3o6h2FoEU37mxIezMyxC0PvL58ud
JQXpEdCe1dBoAOqAoo7UlFRN5ZpY1Ng8AlWSAVQUoQKBgQDn7hb5Glmo/LxWaWJa
IwcBskihQllDGlYmIJSIWNkM5WnXjbOzcP5UdousdZsidKqRT5SiLQISlRti0gpJ
bxkc6s4ozGhHjtDuUlagawMKYlxgHktCV2xHptoQLTqwG20pNw8W8dFkC/eManDk
V423LT8twD8caK6HwDhUvLmAmQKBgQC95kqRxTUU0akJM3uGVIxXHIriiLBjQq8Z
GBXSKYfkfyvdSvda06nZMOZGNvxtoK+i9/Gr5UIA/un0FnTvmqzXU97Ot7Lg1Ogv
Bbtu7UHy+kHeM2yOEZl/BNZ/SSGocH0ELtaxX5UQi3dKExrKiV5SK74bT3e6q6od
WK8LBrMLqQKBgFzO4HCEA9bkc7UcbJfnJlmebwPgmfmJI2oUZXt+GjTX5Je2A2/N
ymggG9pCIXcTOmH1d2PCIO8wrYnIxQcHpwP0TdTzntLrql2Do1iEGe5g19g6pyD/
/LtbYC1S/AYWo4L3nlkvIPwo8cFForEs+++N8pcrM9X5acW2vJPkBVMZAoGAC8yL
RZNjQO/l+NRiEG6gaak0V+72RrSV/JEqiexarS/Zod5OkC4ml4AaTrKL7KPXReDx
+yQ7faRZFPlwOpL5ukdTyLRRQPb5ljJc+v9y4Y37GbtIO2uMhf/e8/mvRa/3lJL0
dADkWirQNqIJQBxY5/If1cKSRd70qu4fsiewaEECgYA3sz03KIWTIp8wuacOjVLa
NQZyKJfGt4XXZltQTX0R5AA1bRbeFsvkRKlwW9ahWMsX6ij9tcNcLqfof/hFgGx+
RoGNu2qpQLbNzKCTog4e4s+sQRf9A1GaiF/e96mUYuVubnTbpcZslzq8VMwzWfYi
SXvWO0cLBqDSZhSjjjdZHw==
-----END PRIVATE KEY-----
`

const privateKey = createPrivateKey(KEY)

/**
 * Decrypts the password in a SecurityCredential: RSA, PKCS#1 v1.5, base64.
 * @returns undefined if it was not encrypted with the certificate
 */
export function decryptCredential(credential: string): string | undefined {
  try {
    const bytes = Buffer.from(credential, 'base64')
    return privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, bytes).toString('utf8')
  } catch {
    return undefined
  }
}
