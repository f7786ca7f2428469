import { type BindingSpec, namesOf, type ProjectSpec } from "./spec.js";

/** `Dockerfile`: an image of the first service; others override its command. */
export function dockerfile({ bindings }: ProjectSpec): string {
  const [first] = bindings;
  const folder = first === undefined ? "service" : namesOf(first.name).folder;
  return `FROM node:22-slim
WORKDIR /app
COPY package*.json ./
RUN npm ci --omit=dev
${bindings.map(({ name }) => `COPY ${namesOf(name).folder} ./${namesOf(name).folder}`).join("\n")}
USER node
CMD ["node", "--import", "tsx", "${folder}/start.ts"]
`;
}

/** Kubernetes manifests of every service that receives events. */
export function manifests({ bindings }: ProjectSpec): Record<string, string> {
  const files: Record<string, string> = {};
  for (const binding of bindings) {
    if (binding.input === undefined) continue;
    files[`manifests/${namesOf(binding.name).folder}.yaml`] = manifest(binding);
  }
  return files;
}

function manifest({ name, input }: BindingSpec): string {
  if (input === undefined) return "";
  const { folder } = namesOf(name);
  const { hostname, pathname } = new URL(input.subscriberEndpoint);
  const path = pathname === "/" ? "/api/events" : pathname;
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${folder}
spec:
  replicas: 2
  selector:
    matchLabels:
      app: ${folder}
  template:
    metadata:
      labels:
        app: ${folder}
    spec:
      # Longer than the listener takes to drain.
      terminationGracePeriodSeconds: 60
      containers:
        - name: ${folder}
          image: example.azurecr.io/${folder}:1
          envFrom:
            # The output ${namesOf(name).output}_environment of the stack.
            - secretRef:
                name: ${folder}-binding
          ports:
            - name: webhook
              containerPort: ${input.handshakePort}
          startupProbe:
            httpGet: { path: /readyz, port: webhook }
            failureThreshold: 30
          readinessProbe:
            httpGet: { path: /readyz, port: webhook }
          livenessProbe:
            httpGet: { path: /healthz, port: webhook }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            runAsNonRoot: true
---
apiVersion: v1
kind: Service
metadata:
  name: ${folder}
spec:
  selector:
    app: ${folder}
  ports:
    - name: webhook
      port: 80
      targetPort: webhook
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${folder}
  annotations:
    # Event Grid sends up to 1.5 MB; the controller's own limit is 1 MB, and a 413 is never sent again.
    nginx.ingress.kubernetes.io/proxy-body-size: 2m
    # Event Grid refuses self-signed certificates.
    cert-manager.io/cluster-issuer: letsencrypt
spec:
  ingressClassName: nginx
  tls:
    - hosts: [${hostname}]
      secretName: ${folder}-tls
  rules:
    - host: ${hostname}
      http:
        paths:
          - path: ${path}
            pathType: Exact
            backend:
              service:
                name: ${folder}
                port:
                  name: webhook
`;
}
