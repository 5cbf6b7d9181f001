import type { Setting } from '@fairlot/contract/desk'

export const SOURCE_NAMES: Record<Setting['source'], string> = {
  fixed: 'the environment',
  stored: 'the desk',
  default: 'default',
}

/** What a setting is about; one without a line is shown by its name. */
export const SETTING_TITLES: Readonly<Record<string, string>> = {
  company_name: 'Name of the house on statements',
  credit_score: 'Credit score of a new user',
  registration_mode: 'How people register',
  registration_check: 'What they show when they register',
  main_area: 'Country that is preselected',
  blocked_areas: 'Countries that are not served',
  session_idle_hours: 'Hours until an unused log-in ends',
  session_hours: 'Hours until any log-in ends',
  journal_hash_recipients: 'Who gets the last hashes by mail',
  service_link: 'Address of customer service',
  service_opens_in: 'Where customer service opens',
  support_email: 'Address for complaints',
  chat_messages_per_minute: 'Messages to the support from a user in a minute',
  chat_messages_per_day: 'Messages to the support from a user in a day',
  demo_accounts_per_hour: 'Demo accounts per address in an hour',
  calls_per_second: 'Calls of a user in a second',
  calls_burst: 'Calls of a user on top of that',
  address_calls_per_second: 'Calls of an address in a second',
  address_calls_burst: 'Calls of an address on top of that',
  failed_logins_per_address: 'Failed log-ins of an address in 15 minutes',
  failed_logins_per_account: 'Failed log-ins of an account in 15 minutes',
  codes_per_target: 'Codes to one recipient in an hour',
  codes_per_address: 'Codes asked for by an address in an hour',
  captchas_per_address: 'Captchas for an address in an hour',
  socket_handshakes_per_second: 'New connections of an address in a second',
  sockets_per_address: 'Open connections of an address',
  loss_hosts: 'Hosts that visitors of a company may be sent to',
}

export const valueText = (value: string): string => (value === '' ? 'empty' : value)
