/** A field for each path and query parameter. */
import type { JsonSchema } from '../../runtime/contract/inputSchema.ts';
import { type Field, fieldText } from '../request/draft.ts';
import { alternativesOf, typeText } from '../schema/resolve.ts';

interface ParameterFieldsProps {
  fields: readonly Field[];
  /** Keyed by parameter. */
  texts: Record<string, string>;
  /** The schema that references point into. */
  root: JsonSchema;
  problemOf: (field: Field) => string | null;
  change: (name: string, text: string) => void;
}

export function ParameterFields({ fields, texts, root, problemOf, change }: ParameterFieldsProps) {
  return (
    <div class="parameters">
      <h3>Parameters</h3>
      {fields.map((field) => (
        <ParameterField
          key={`${field.place} ${field.name}`}
          field={field}
          text={texts[field.name] ?? ''}
          root={root}
          problem={problemOf(field)}
          change={(text) => change(field.name, text)}
        />
      ))}
    </div>
  );
}

interface ParameterFieldProps {
  field: Field;
  text: string;
  root: JsonSchema;
  problem: string | null;
  change: (text: string) => void;
}

function ParameterField({ field, text, root, problem, change }: ParameterFieldProps) {
  const { name, place, required, schema } = field;
  const id = `parameter-${place}-${name}`;
  const choices = choicesOf(schema, root);
  const own = {
    id,
    name,
    value: text,
    'aria-invalid': problem !== null,
    'aria-describedby': `${id}-about`,
    'aria-required': required,
  };
  const { default: preset, description } = schema;
  return (
    <div class="parameter">
      <label for={id}>
        <span class="name">{name}</span>
        {required && <span class="required">required</span>}
        <span class="muted">
          {place} · {typeText(schema, root)}
        </span>
      </label>
      {choices ? (
        <select {...own} onChange={({ currentTarget }) => change(currentTarget.value)}>
          <option value="">{preset === undefined ? '' : `${fieldText(preset)} (default)`}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...own}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={preset === undefined ? '' : fieldText(preset)}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      <p id={`${id}-about`} class={problem ? 'problem' : 'muted'}>
        {problem ?? description}
      </p>
    </div>
  );
}

/** The values of an enumeration or a boolean; null for a schema that allows others. */
function choicesOf(schema: JsonSchema, root: JsonSchema): string[] | null {
  const choices = alternativesOf(schema, root).flatMap((one) => {
    if (one.enum) return one.enum.map(fieldText);
    if (one.type === 'boolean') return ['true', 'false'];
    return one.type === 'null' ? [] : [null];
  });
  return choices.length > 0 && choices.every((one) => one !== null) ? choices : null;
}
