# Builds the static page and serves it without root on port 8080:
#   docker build -t podtopool . && docker run --rm -p 8080:8080 podtopool
FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM nginxinc/nginx-unprivileged:stable-alpine-slim
COPY --from=build /app/dist /usr/share/nginx/html
EXPOSE 8080
