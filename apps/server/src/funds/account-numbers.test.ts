import { expect, test } from 'vitest'
import { accountKey, isBankAccount, isBic, isCoinAddress } from './account-numbers.ts'

test.each([
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', true],
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', false],
  ['Bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', true],
  ['Bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', false],
  ['BTC', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', false],
  ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', true],
  ['BTC', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', true],
  ['BTC', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', false],
  ['TRC20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', true],
  ['TRC20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', false],
  ['TRC20', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', false],
  ['ERC20', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', true],
  ['ERC20', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', true],
  ['ERC20', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', false],
  ['ERC20', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', false],
  ['SOL', '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', true],
  ['SOL', '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLt', false],
  ['TRC20-USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', true],
  ['TRC20-USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', false],
  ['USDT-TRC20', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', false],
  ['Tron (TRC20)', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', false],
  ['USDT BEP20', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', false],
  ['LTC', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', true],
  ['LTC', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n8', false],
  ['LTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', false],
  ['DOGE', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', true],
  ['DOGE', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7M', false],
  ['DASH', 'XpESxaUmonkq8RaLLp46Brx2K39ggQe226', true],
  ['DASH', 'XpESxaUmonkq8RaLLp46Brx2K39ggQe227', false],
  ['XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', true],
  ['XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi', false],
  ['XLM', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ', true],
  ['XLM', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA', false],
  ['TON', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', true],
  ['TON', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M', false],
  ['ATOM', 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh', true],
  ['ATOM', 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0ea', false],
  ['BCH', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', true],
  ['Bitcoin Cash', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', true],
  ['Bitcoin Cash', 'QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A', true],
  ['Bitcoin Cash', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6z', false],
  ['Bitcoin Cash', 'Qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', false],
  ['BCH', 'bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t', false],
  ['BCH', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', true],
  ['BCH', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggv', false],
  ['ETC', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', true],
  ['Ethereum Classic', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', false],
  [
    'ADA',
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
    true,
  ],
  ['Cardano', 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8', true],
  ['Cardano', 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl9', false],
  ['ADA', 'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw', false],
  ['ADA', 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz', false],
  ['ADA', 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi', true],
  ['ADA', 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAj', false],
  [
    'ADA',
    'DdzFFzCqrhsrcTVhLygT24QwTnNqQqQ8mZrq5jykUzMveU26sxaH529kMpo7VhPrt5pwW3dXeB2k3EEvKcNBRmzCfcQ7dTkyGzTs658C',
    true,
  ],
  ['DOT', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', true],
  ['DOT', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp6', false],
  ['DOT', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', false],
  ['NEAR', '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de', true],
  ['NEAR', '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6d', false],
  ['NEAR', 'ada-1.exchange.near', true],
  ['NEAR', 'ada..near', false],
  ['NEAR', 'ada.testnet', false],
  ['NEAR', `${'a-'.repeat(60)}`, false],
  ['HBAR', '0.0.123', true],
  ['HBAR', '0.0.123-vfmkw', true],
  ['Hedera', '0.0.123-vfmkx', false],
  ['HBAR', '0.0.0123', false],
  ['HBAR', '123', false],
  ['EOS', 'binancecleos', true],
  ['EOS', 'binancecleo6', false],
  ['EOS', 'binancecleoss', false],
  ['EOS', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', false],
  ['SOL', 'short', false],
  ['SOL', '1'.repeat(10_000), false],
  ['SOL', 'with a space in it', false],
])('%s %s: %s', (network, address, isValid) => {
  expect(isCoinAddress(network, address)).toBe(isValid)
})

test.each([
  ['GB82 WEST 1234 5698 7654 32', true],
  ['GB82WEST12345698765433', false],
  ['DE89370400440532013000', true],
  ['de89 3704 0044 0532 0130 00', true],
  ['IBAN DE89 3704 0044 0532 0130 00', true],
  ['iban: de89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000', true],
  ['DE89-3704-0044-0532-0130-00', true],
  ['iban de88370400440532013000', false],
  ['gb82west12345698765433', false],
  ['012-345678-901', true],
  ['12', false],
  ['<b>1234</b>', false],
])('the account %s: %s', (account, isValid) => {
  expect(isBankAccount(account)).toBe(isValid)
})

test.each([
  ['DEUTDEFF', true],
  ['DEUTDEFF500', true],
  ['deutdeff', false],
  ['DEUTDEFF5', false],
])('the bank code %s: %s', (bic, isValid) => {
  expect(isBic(bic)).toBe(isValid)
})

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const NOTHING = { address: '', iban: '', payeeAccount: '', bic: '' }
const TON = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const TON_RAW = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'
const KEY_HASH = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'
const SCRIPT_HASH = '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC'
const SLASHED = 'EQD7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-0EU'
const STELLAR = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'

test.each([
  ['hexadecimal digits', [EVM, EVM.toLowerCase(), EVM.toUpperCase()].map((address) => ({ address }))],
  ['letters of one case', [STELLAR, STELLAR.toLowerCase()].map((address) => ({ address }))],
  [
    'a bech32 address',
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'].map(
      (address) => ({ address }),
    ),
  ],
  [
    'an account of TON',
    [TON, 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI', TON_RAW, TON_RAW.toUpperCase()].map(
      (address) => ({ address, tag: '77' }),
    ),
  ],
  [
    'an account of TON in both alphabets of base64',
    [SLASHED, SLASHED.replaceAll('-', '+').replaceAll('_', '/')].map((address) => ({ address })),
  ],
  [
    'a script of Litecoin',
    ['31y61a543gD7YMzDAi2wdfNgpPBAdtF3xm', 'M8BEKTV1zo4YLsG7Gb2HTJd695mcbkACUr'].map((address) => ({
      address,
    })),
  ],
  [
    'an account of Bitcoin Cash',
    [
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      'QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
      '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
    ].map((address) => ({ address })),
  ],
  ['an account of Hedera', ['0.0.123', '0.0.123-vfmkw', '0.0.123-VFMKW'].map((address) => ({ address }))],
  [
    'an IBAN, in either field',
    [
      { iban: 'DE89370400440532013000', bic: 'DEUTDEFF' },
      { iban: 'de89 3704 0044 0532 0130 00' },
      { payeeAccount: 'IBAN DE89-3704-0044-0532-0130-00', bic: 'DEUTDEFF' },
    ],
  ],
  [
    'an account of a bank',
    [
      { payeeAccount: 'abc 1234-5', bic: 'DEUTDEFF' },
      { payeeAccount: 'ABC12345', bic: 'DEUTDEFFXXX' },
    ],
  ],
])('%s has one key, however it is written', (_what, spellings) => {
  expect(new Set(spellings.map((each) => accountKey({ ...NOTHING, ...each }))).size).toBe(1)
})

test.each([
  ['tags of one address', { address: 'rHb9', tag: '1' }, { address: 'rHb9', tag: '2' }],
  ['case-sensitive addresses', { address: 'TR7NHqjeKQ' }, { address: 'Tr7NHqjeKQ' }],
  ['an address of TON with a wrong letter', { address: TON }, { address: TON.replace('CD', 'DC') }],
  ['check letters of Hedera that are wrong', { address: '0.0.123' }, { address: '0.0.123-vfmkx' }],
  ['a key and a script of one hash', { address: KEY_HASH }, { address: SCRIPT_HASH }],
  ['accounts of two banks', { payeeAccount: '1', bic: 'DEUTDEFF' }, { payeeAccount: '1', bic: 'BUKBGB22' }],
  ['branches of a bank', { payeeAccount: '1', bic: 'DEUTDEFF' }, { payeeAccount: '1', bic: 'DEUTDEFF500' }],
])('%s have two keys', (_what, one, other) => {
  expect(accountKey({ ...NOTHING, ...one })).not.toBe(accountKey({ ...NOTHING, ...other }))
})
