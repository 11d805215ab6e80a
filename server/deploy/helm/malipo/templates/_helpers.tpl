{{- define "malipo.name" -}}
{{- ternary .Release.Name (printf "%s-malipo" .Release.Name) (contains "malipo" .Release.Name) | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- /* Not empty: one pod does everything, on the PostgreSQL of the image. */ -}}
{{- define "malipo.isAlone" -}}
{{- if eq .Values.mode "sandbox" }}{{ if not .Values.secrets.name }}yes{{ end }}{{ end }}
{{- end }}

{{- /* What a schema cannot say in words. */ -}}
{{- define "malipo.check" -}}
{{- if ne .Values.mode "sandbox" }}
{{- if not (hasPrefix "https://" .Values.publicBaseUrl) }}
{{- fail (printf "mode %s needs publicBaseUrl, which begins with https://" .Values.mode) }}
{{- end }}
{{- $name := "mode %s needs secrets.name, a secret with DATABASE_URL and MALIPO_MASTER_KEY (openssl rand -base64 32)" }}
{{- $_ := required (printf $name .Values.mode) .Values.secrets.name }}
{{- $owner := "mode %s needs secrets.owner, a secret with MIGRATION_DATABASE_URL, the owner of the database" }}
{{- $_ := required (printf $owner .Values.mode) .Values.secrets.owner }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.publicBaseUrl) }}
{{- fail "ingress.enabled needs publicBaseUrl, whose host it serves" }}
{{- end }}
{{- end }}

{{- define "malipo.selector" -}}
app.kubernetes.io/name: malipo
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "malipo.labels" -}}
app.kubernetes.io/name: malipo
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
app.kubernetes.io/part-of: malipo
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "malipo.settings" -}}
MALIPO_MODE: {{ .Values.mode }}
{{- with .Values.publicBaseUrl }}
PUBLIC_BASE_URL: {{ . | quote }}
{{- end }}
HOST: 0.0.0.0
PORT: '8080'
MALIPO_METRICS_HOST: 0.0.0.0
MALIPO_METRICS_PORT: '9464'
{{- range $name, $value := .Values.settings }}
{{- /* Helm reads numbers as floats: a million would be 1e+06. */}}
{{ $name }}: {{ ternary (int64 $value) $value (kindIs "float64" $value) | toString | quote }}
{{- end }}
{{- end }}

{{- define "malipo.env" -}}
envFrom:
  - configMapRef: { name: {{ include "malipo.name" .root }}-settings }
  {{- with .root.Values.secrets.name }}
  - secretRef: { name: {{ . }} }
  {{- end }}
  {{- if .isOwner }}
  {{- with .root.Values.secrets.owner }}
  - secretRef: { name: {{ . }} }
  {{- end }}
  {{- end }}
{{- end }}

{{- /* A pod without its container. */ -}}
{{- define "malipo.pod" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: 60
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  {{- if eq .component "api" }}
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- range $field := list "imagePullSecrets" "nodeSelector" "tolerations" }}
{{- with index $.root.Values $field }}
{{ $field }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- if .volumes }}
volumes: {{- toYaml .volumes | nindent 2 }}
{{- end }}
{{- end }}

{{- define "malipo.container" -}}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- with .volumeMounts }}
volumeMounts: {{- toYaml . | nindent 2 }}
{{- end }}
resources: {{- toYaml .resources | nindent 2 }}
{{- end }}

{{- define "malipo.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "malipo.selector" . | nindent 8 }}
{{- end }}

{{- /* Live means that the process answers: a database that is away is no reason to kill it. Ready: it can accept. */ -}}
{{- define "malipo.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: {{ .port }} }
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /health/live, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /health/ready, port: {{ .port }} }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 1
{{- end }}

{{- define "malipo.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "malipo.name" .root }}-{{ .component }}
  labels: {{- include "malipo.labels" . | nindent 4 }}
spec:
  minAvailable: 1
  selector:
    matchLabels: {{- include "malipo.selector" . | nindent 6 }}
{{- end }}
