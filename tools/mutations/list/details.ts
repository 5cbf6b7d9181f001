import { mutationsOf, type Mutation } from '../mutation.ts'

type Replacement = readonly [string, string, string]

/** Mutations of a file below a folder, with the path of the test file there that must catch them. */
const within =
  (folder: string) =>
  (file: string, test: string, ...mutations: readonly Replacement[]): Mutation[] =>
    mutationsOf(`${folder}/${file}`, ...mutations).map((mutation) => ({
      ...mutation,
      tests: [`${folder}/${test}`],
    }))

const server = within('apps/server/src')
const web = within('apps/web/src')
const desk = within('apps/desk/src')
const contract = within('packages/contract/src')
const ui = within('packages/ui/src')

/** A file of a package, caught by a test of the web app. */
const seenInApp = (file: string, test: string, ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(file, ...mutations).map((mutation) => ({ ...mutation, tests: [`apps/web/src/${test}`] }))

const REGISTER_TEST = 'features/auth/register-screen.test.tsx'
const OLD_TAB_TEST = 'app/old-tab.isolated.test.tsx'
const SETUP_TEST = 'funds/desk/payment-setup.wire.test.ts'
const METHODS_TEST = 'funds/receiving-methods.wire.test.ts'
const FACTOR_TEST = 'accounts/second-factor.wire.test.ts'

/** Screens, lists and calls are those of the product. */
const PRODUCT: readonly Mutation[] = [
  ...web('features/user/user-screen.tsx', 'features/user/user-screen.test.tsx', [
    "  { name: 'news', to: '/news', icon: Newspaper },\n",
    '',
    'The account does not lead to the news.',
  ]),
  ...mutationsOf('packages/contract/src/content/news.ts', [
    'NEWS_PAGE_ROWS = 10',
    'NEWS_PAGE_ROWS = 20',
    'A page of the news has twenty rows.',
  ]).map((mutation) => ({ ...mutation, tests: ['apps/server/src/content/news/news.wire.test.ts'] })),
  ...web(
    'features/market/instrument-row.tsx',
    'features/market/home-screen.test.tsx',
    [
      "withNames(t('closedOpens', { time: asName(moments.soon(nextOpenAt, marketNow())) }))",
      'moments.soon(nextOpenAt, marketNow())',
      'A closed row shows only when its market opens.',
    ],
    [
      '        <MovingChange instrumentId={instrument.id} row={row} />\n',
      '        instrument.isOpen && <MovingChange instrumentId={instrument.id} row={row} />\n',
      "A closed row loses the day's change.",
    ],
  ),
  ...web('app/app.tsx', 'features/copying/ranking.test.tsx', [
    "isCopying ? 'copies' : name",
    'name',
    "The tab of copying has the ranking's title.",
  ]),
  ...server(
    'content/companies.ts',
    'content/companies.wire.test.ts',
    [
      "return live.lossUrl === '' ? OPEN : closed(live.lossUrl, live.lossHosts)",
      'return OPEN',
      'A directory that has moved keeps its visitors.',
    ],
    [
      'hosts.includes(url.hostname)',
      "url.hostname !== ''",
      'Visitors are sent to hosts that the operator has not listed.',
    ],
  ),
  ...server('platform/config/app-settings.ts', 'settings/desk-settings.wire.test.ts', [
    ' || isHttps(text),\n',
    ',\n',
    'Complaints cannot go to a page.',
  ]),
  ...web('features/support/email-screen.tsx', 'features/support/support.test.tsx', [
    "address.startsWith('https://')",
    "address === ''",
    'A page for complaints is shown as an e-mail address.',
  ]),
  ...contract(
    'protocol/client.ts',
    'protocol/client.test.ts',
    ['    lang: setup.language(),\n', '', 'Calls do not name the language.'],
    ["[...sent, ['t', setup.now()]]", 'sent', 'GET calls do not name the time.'],
  ),
  ...web('live/requests/files.ts', 'features/support/support.test.tsx', [
    '`${url}?t=${Date.now()}`, {\n    signal,\n    headers: { lang: currentLanguage(), authorization',
    'url, {\n    signal,\n    headers: { authorization',
    'Pictures are fetched without language and time.',
  ]),
  ...web('live/session/user.ts', 'live/session/session.test.tsx', [
    '  if (user) queryClient.setQueryData(USER_KEY, user, { updatedAt: 1 })\n',
    '',
    'After a reload the user is unknown until the server answers.',
  ]),
  ...web('live/device/token.ts', 'live/device/token.test.ts', [
    "    writeStored('user', null)\n",
    '',
    'The user is kept after the token is gone.',
  ]),
  ...web('features/auth/code-field.tsx', REGISTER_TEST, [
    'secondsLeft(sent, Date.now())',
    'secondsLeft(sent && accountOf(sent) === accountOf(values) ? sent : null, Date.now())',
    'Another address opens the button for codes again at once.',
  ]),
  ...server('funds/receiving-methods.ts', METHODS_TEST, [
    "    ...(!isCoin && form.remark !== '' && { remark: form.remark }),\n",
    '',
    'The remark of a bound bank account is lost.',
  ]),
  ...seenInApp(
    'packages/contract/src/protocol/access.ts',
    'app/routes.test.ts',
    ["  charge: 'real',", "  charge: 'user',", 'Demo accounts may deposit.'],
    ["  identity: 'real',", "  identity: 'user',", 'Demo accounts may have their identity checked.'],
  ),
  ...server(
    'platform/http/manifest.ts',
    'platform/http/manifest.test.ts',
    [
      "      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },\n",
      '',
      'The installed app has no icon that may be cut to a shape.',
    ],
    ["alerts: '/#/mine/notices?tab=alerts'", "alerts: '/alerts'", 'A shortcut leads to no screen.'],
  ),
  ...server(
    'platform/http/desktop-host.ts',
    'platform/http/desktop-host.wire.test.ts',
    [
      'DESKTOP_SYSTEM.test(userAgent) && !OTHER_DEVICE.test(userAgent)',
      '!OTHER_DEVICE.test(userAgent)',
      'Search engines count as desktops.',
    ],
    ["live.desktopHost === 'same' || ", '', 'Desktops are sent to another host without the setting.'],
  ),
]

/** Telephone numbers and codes are read as people write them. */
const TYPED: readonly Mutation[] = [
  ...server(
    'accounts/identity.ts',
    'accounts/identity.test.ts',
    [
      "plain.replace(INTERNATIONAL_PREFIX, '+')",
      'plain',
      'A telephone number with 00 before its calling code is unknown.',
    ],
    ['/[\\p{Zs}\\p{Pd}\\u2212./()]/gu', '/[ -]/g', 'Telephone numbers have spaces and hyphens only.'],
  ),
  ...server('accounts/users.ts', 'accounts/registration.wire.test.ts', [
    "[digits, digits.replace(/^0+/, '')]",
    '[digits]',
    'Nobody logs in by a number with the zero that is dialled in the country.',
  ]),
  ...server('accounts/desk/user-queries.ts', 'accounts/desk/users.wire.test.ts', [
    'const whole = await byWholePhone(database.queries, typed)',
    'const whole: Match[] = []',
    'The desk finds telephone numbers only by their digits.',
  ]),
  ...contract('protocol/typed-code.ts', 'protocol/typed-code.test.ts', [
    "latinDigits(line).replace(/[\\s\\p{Cf}\\p{Pd}]/gu, '')",
    'line',
    'Codes are compared as typed.',
  ]),
  ...server(
    'accounts/verification-codes.ts',
    'accounts/verification-codes.test.ts',
    [
      '      const code = typedCode(typed)\n      // Counted',
      '      const code = typed\n      // Counted',
      'A code by mail is wrong with a space in it.',
    ],
    ['      if (!isPossibleCode(typed)) return false\n', '', 'A slip counts as a guess of a code by mail.'],
  ),
  ...web('features/auth/code-field.tsx', REGISTER_TEST, [
    "latinDigits(text).replace(/\\D/g, '').slice(0, CODE_DIGITS)",
    'latinDigits(text).slice(0, CODE_DIGITS)',
    'The field for codes cuts off what is pasted with spaces.',
  ]),
  ...server('accounts/second-factor-routes.ts', FACTOR_TEST, [
    '`second factor set-up ${user.id}`',
    '`second factor ${user.id}`',
    'Wrong codes at the set-up of a second factor lock the log-in.',
  ]),
  ...server('accounts/auth-services.ts', FACTOR_TEST, [
    "    if (!isPasskeyCode(code) && !isPossibleCode(code)) return refuse('secondFactorWrong', { field })\n",
    '',
    'A slip counts as a guess of the second factor.',
  ]),
  ...server('desk/operators/operator-factor.ts', 'desk/operators/desk-login.wire.test.ts', [
    "code !== null && code.trim() !== '' && !isPossibleCode(code)",
    "code !== null && code.trim() !== '' && code === ''",
    'A slip counts as a guess of an operator.',
  ]),
  ...server(
    'accounts/captcha.ts',
    'accounts/captcha.test.ts',
    ['      if (!isPossibleAnswer(answer)) return false\n', '', 'A slip uses up a captcha.'],
    [
      'solution === null\n        ? captcha.digits === typedCode(answer)\n        : isWorkDone(captcha.challenge, solution, secrets)',
      'captcha.digits === typedCode(answer)',
      'A captcha is only for people who see it.',
    ],
  ),
  ...web('features/auth/register-screen.tsx', REGISTER_TEST, [
    "const canWork = data !== undefined && data.challenge !== ''",
    "const canWork = data !== undefined && data.challenge === ''",
    'The registration offers no way around the picture of a captcha.',
  ]),
]

/** Addresses, accounts and transactions are known however they are written. */
const MONEY: readonly Mutation[] = [
  ...server(
    'funds/account-numbers.ts',
    'funds/account-numbers.test.ts',
    ["['coin', plainAddress(address),", "['coin', address,", 'Coin addresses are compared as typed.'],
    ["...(tag === '' ? [] : [tag])]", ']', 'Two customers of one exchange have the same receiving account.'],
    [
      'hasIbanShape(account) ? plainIban(account) : lettersAndDigits(account)',
      'account.trim()',
      'Account numbers are compared as typed.',
    ],
    [
      'code === null ? ANY_ADDRESS.test(address) : CHECKS[code](address)',
      'code === null ? ANY_ADDRESS.test(address) : CHECKS[code](address) || ANY_ADDRESS.test(address)',
      'A slip in a coin address is accepted.',
    ],
    [
      '    .toUpperCase()\n    .replace(/^IBAN:?/,',
      '    .replace(/^IBAN:?/,',
      'An IBAN in small letters is none.',
    ],
    ["\n    .replace(/^IBAN:?/, '')", '', 'An IBAN with IBAN before it is none.'],
  ),
  ...server('funds/receiving-methods.ts', METHODS_TEST, [
    "form.iban.trim() === '' && hasIbanShape(form.payeeAccount)",
    "form.iban.trim() === '' && form.payeeAccount === ''",
    'An IBAN in the field for other accounts is another account.',
  ]),
  ...server('funds/desk/payment-forms.ts', 'funds/desk/payment-forms.test.ts', [
    '${network} ${plainAddress(address)} ${tag}',
    '${network} ${address} ${tag}',
    'A deposit address in other letters is another one.',
  ]),
  ...server(
    'funds/desk/payment-forms.ts',
    SETUP_TEST,
    ['coinNetworkOf(written) ?? written', 'written', 'A network is stored as it was typed.'],
    [
      'isConfirmed || coinNetworkOf(network) !== null ? null',
      "isConfirmed || network !== '' ? null",
      'A network that is not on the list needs no confirmation.',
    ],
  ),
  ...server('funds/desk/withdrawal-currencies.ts', SETUP_TEST, [
    '...(isUnlisted(readBody(body).form)',
    "...(readBody(body).form.protocol === ''",
    'The second operator is not told that a payout network is unlisted.',
  ]),
  ...server('funds/desk/receiving-accounts.ts', SETUP_TEST, [
    '...(coinNetworkOf(protocolCode) === null',
    "...(protocolCode === ''",
    'The second operator is not told that a network for deposits is unlisted.',
  ]),
  ...server(
    'funds/payment-links.ts',
    'funds/payment-links.test.ts',
    ['  return isSame\n', '  return isSame || !isSame\n', 'A payment link of another network is taken.'],
    [
      "refuse('paymentLinkOtherNetwork', {",
      "refuse('paymentLinkUnreadable', {",
      'A payment link of another network is called unreadable.',
    ],
    [
      "const [, scheme = '', rest = ''] = LINK.exec(text) ?? []",
      "const [, scheme = '', rest = ''] = LINK.exec(text.slice(text.length)) ?? []",
      'A payment link is taken for an address.',
    ],
    [': own || other\n', ': own\n', 'The tag of a payment link is dropped.'],
  ),
  ...server('funds/receiving-methods.ts', METHODS_TEST, [
    "    ...(isCoin && form.tag !== '' && { tag: form.tag }),\n",
    '',
    'The tag of a coin address is not kept.',
  ]),
  ...server('funds/withdrawals.ts', 'funds/desk/withdrawals.wire.test.ts', [
    "    tag: details.tag ?? '',\n",
    "    tag: '',\n",
    'A withdrawal is paid without the tag of its address.',
  ]),
  ...server(
    'platform/database/transaction-number.ts',
    'platform/database/transaction-number.test.ts',
    [
      '/^0x[0-9a-f]+$/.test(number) ? number.slice(2) : number',
      'number',
      'A transaction number without 0x is another one.',
    ],
    [
      'withoutLabel(inLink(text) ?? text)',
      'withoutLabel(text)',
      "A transaction number in an explorer's link is another one.",
    ],
    [
      'plain(withoutLabel(inLink(text) ?? text))',
      'plain(inLink(text) ?? text)',
      'A transaction number after a label is another one.',
    ],
    [
      "text.replaceAll(/[^\\p{L}\\p{N}]/gu, '')",
      'text.trim()',
      'A transaction number in groups is another one.',
    ],
  ),
  ...server('funds/payment-cases.ts', 'funds/desk/deposit-duplicates.wire.test.ts', [
    'transactionKey(body.row.reference)',
    'body.row.reference',
    'Transaction numbers of deposits are compared as typed.',
  ]),
  ...server(
    'platform/files/similar-pictures.ts',
    'platform/files/similar-pictures.test.ts',
    [
      'own && other ? haveSameText(own, other) : null',
      'own === other ? null : null',
      'Receipts of one app look like repeats of each other.',
    ],
    ['MAX_DIFFERENT_BITS = 3', 'MAX_DIFFERENT_BITS = 10', 'Pictures that differ look alike.'],
  ),
]

/** Names, photographs and tables arrive as people have them. */
const CONTENT: readonly Mutation[] = [
  ...server('accounts/identity-checks.ts', 'accounts/desk/identity.wire.test.ts', [
    '/^[^<>]*\\p{L}[^<>]*$/u',
    "/^[\\p{L}\\p{M}][\\p{L}\\p{M} .'-]+$/u",
    'Names have at least two letters, and none of the signs of documents.',
  ]),
  ...contract('protocol/plain-text.ts', 'protocol/plain-text.test.ts', [
    "plainLine(typed).replaceAll(/\\s+/g, ' ')",
    'plainLine(typed)',
    'One name with a wide space is another name.',
  ]),
  ...ui('forms/shrink-image.ts', 'forms/image-field.test.tsx', [
    'if (file.size <= bytesMax && width * height <= pixelsMax) return file',
    'if (file.size !== -1) return file',
    'A large photograph is not shrunk before it is sent.',
  ]),
  ...server(
    'platform/files/picture.ts',
    'platform/files/uploads.wire.test.ts',
    ['jpeg: 210_000_000', 'jpeg: 40_000_000', 'A photograph of a new telephone is refused.'],
    ['SHORT_SIDE_MIN = 540', 'SHORT_SIDE_MIN = 1', 'A long picture is scaled until nobody can read it.'],
    [
      "sideOf(header, 'proof') > LONG_SIDE_MAX ? refuse('pictureTooLong') : null",
      'null',
      'A picture that is too long to be read is accepted.',
    ],
  ),
  ...server('content/news/clean-html.ts', 'content/news/clean-html.test.ts', [
    "  'table',\n  'caption',\n  'thead',\n  'tbody',\n  'tfoot',\n  'tr',\n  'td',\n  'th',\n",
    '',
    'Tables of the news are flattened to text.',
  ]),
  ...server('content/news/import/parse-feed.ts', 'content/news/import/parse-feed.test.ts', [
    't[dhr]|',
    '',
    'Cells of an imported table are joined to one word.',
  ]),
  ...web('features/news/clean-html.tsx', 'features/news/news.test.tsx', [
    "  if (name === 'table') return <WideTable key={key}>{childrenOf(node)}</WideTable>\n",
    '',
    'The app shows the rows of a table as text.',
  ]),
]

/** Translated pages, old tabs, two tabs, ended sessions and large text. */
const BROWSER: readonly Mutation[] = [
  ...web('features/market/instrument-row.tsx', 'app/translated-page.test.tsx', [
    '<bdi translate="no" className="block truncate text-body font-bold">',
    '<bdi className="block truncate text-body font-bold">',
    'The code of an instrument is translated.',
  ]),
  ...ui('figures/big-figure.tsx', 'figures/figures.test.tsx', [
    'if (firstChild instanceof Text && firstChild === lastChild) {',
    'if (firstChild instanceof Text) {',
    'A price moves beside what the translator left of the last one.',
  ]),
  ...ui('figures/verbatim.ts', 'figures/verbatim.test.ts', [
    '(/\\p{Nd}/u.test(value) || isCode(value)) && !SENTENCE.test(value)',
    "value === ''",
    'Figures and addresses of lists are translated.',
  ]),
  ...web('app/error-boundary.tsx', 'app/missing-chart.isolated.test.tsx', [
    'isMissing ? reload : retry',
    'retry',
    'A screen that cannot load is tried again in vain.',
  ]),
  ...web('app/trade-chart.tsx', 'app/missing-chart.isolated.test.tsx', [
    '<ErrorBoundary isBox>',
    '<ErrorBoundary>',
    'A missing chart hides its button behind the ticket of a short phone.',
  ]),
  ...web('app/app.tsx', OLD_TAB_TEST, [
    "import { ErrorBoundary } from './error-boundary.tsx'",
    "import type { ReactNode } from 'react'\nconst ErrorBoundary = ({ children }: { children: ReactNode }) => children",
    'A failure of the frame leaves an empty page.',
  ]),
  ...seenInApp('packages/ui/src/feedback/boundary.tsx', OLD_TAB_TEST, [
    '<Boundary instead={() => instead} onFailure={reportMissingPart}>',
    '<Boundary instead={() => instead} onFailure={() => undefined}>',
    'A part that is missing is not reported.',
  ]),
  ...ui('overlays/lazy-overlay.tsx', 'overlays/overlays.test.tsx', [
    '      props.onClose()\n',
    '',
    'An overlay that cannot load opens no more.',
  ]),
  ...web('live/device/token.ts', 'live/device/token.test.ts', [
    "else if (readStored('token') === currentToken()) {",
    'else {',
    'A tab that logs out ends the session of another tab.',
  ]),
  ...web('live/session/user.ts', 'live/session/session.test.tsx', [
    "if (readStored('demo') === useDemo.getState().demoId) writeStored('demo', null)",
    "writeStored('demo', null)",
    "A tab that logs out removes another tab's demo account.",
  ]),
  ...web('live/session/fetch-user.ts', 'live/session/session.test.tsx', [
    "if (token !== null && token === readStored('token'))",
    'if (token !== null)',
    'A user is stored beside the token of somebody else.',
  ]),
  ...web('live/device/token.ts', 'app/session-end.test.tsx', [
    'hasEnded: hasEnded || (isReported && token !== null)',
    'hasEnded: false',
    'An ended session is not said at the log-in.',
  ]),
  ...seenInApp(
    'packages/ui/src/forms/kept-input.ts',
    'app/session-end.test.tsx',
    [
      'keep(name, userId, valueOf()))',
      'keep(name, userId, null))',
      'What was typed is gone with an ended session.',
    ],
    [
      'if (userId !== user) kept.delete(name)',
      'if (userId === null) kept.delete(name)',
      'What was typed is shown to somebody else.',
    ],
  ),
  ...desk('features/content/rich-text-field.tsx', 'features/content/news-editor.test.tsx', [
    'useKeptState(`link ${name} ${present}`, present)',
    'useState(present)',
    'The address of a link is gone with an ended session.',
  ]),
  ...ui('theme/theme.css', 'forms/forms.test.tsx', [
    'font-size: 1rem !important;',
    'font-size: 0.875rem !important;',
    'Telephones zoom into fields.',
  ]),
  ...seenInApp('packages/ui/src/figures/big-figure.tsx', 'features/trading/ticket.test.tsx', [
    "style={size === 'button' ? { fontSize: roomFor(parts) } : undefined}",
    'style={undefined}',
    'With text at 200 % a price is wider than its button.',
  ]),
]

export const DETAIL_MUTATIONS: readonly Mutation[] = [...PRODUCT, ...TYPED, ...MONEY, ...CONTENT, ...BROWSER]
