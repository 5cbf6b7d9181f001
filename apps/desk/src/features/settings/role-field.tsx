import { type OperatorRole, ROLES } from '@fairlot/contract/desk'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { ROLE_NAMES } from './operator-words.ts'

type RoleFieldProps = { value: OperatorRole; onChange: (role: OperatorRole) => void }

/** One of the roles. */
export const RoleField = ({ value, onChange }: RoleFieldProps) => (
  <SelectField
    label="Role"
    value={value}
    options={ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }))}
    onChange={onChange}
  />
)
